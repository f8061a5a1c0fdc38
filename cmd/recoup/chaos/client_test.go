package chaos

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"
)

// request is sent until it is answered, always the same bytes.
type request struct {
	path, body string
	key        string // Idempotency-Key; "" = none
	want       int    // status; 0 = 200, -1 = any
}

const anyStatus = -1

// answer is what a caller saw.
type answer struct {
	status   int
	header   http.Header
	body     []byte
	replayed bool
}

// client is one caller. It knocks at its own server first.
type client struct {
	*site
	server int
	http   *http.Client
	told   []told // what was answered, in its order
	lost   int    // requests that were sent and not answered
	away   int    // 503s
}

// told is an answered request.
type told struct {
	request
	answer
}

func (s *site) client(server int) *client {
	return &client{site: s, server: server, http: &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 4}}}
}

// once sends a request, and gives an error where no answer came.
func (c *client) once(r *request) (answer, error) {
	url := c.url(c.server)
	if url == "" {
		return answer{}, errDown
	}
	method := http.MethodPost
	if r.body == "" {
		method = http.MethodGet
	}
	req, err := http.NewRequest(method, url+r.path, strings.NewReader(r.body))
	if err != nil {
		return answer{}, err
	}
	if r.body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if r.key != "" {
		req.Header.Set("Idempotency-Key", r.key)
	}
	if strings.HasPrefix(r.path, "/v1/webhooks/") {
		sign(req, r.body)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return answer{res.StatusCode, res.Header, bytes.TrimSpace(body), res.Header.Get("Idempotency-Replayed") == "true"}, err
}

var errDown = errors.New("no server")

// give sends a request until it is answered with something else than "come again".
func (c *client) give(r request) answer {
	for end := time.Now().Add(time.Minute); ; {
		a, err := c.once(&r)
		switch {
		case err == nil && a.status != http.StatusServiceUnavailable:
			if r.want != anyStatus && a.status != cmp.Or(r.want, 200) {
				c.t.Errorf("%s %.300s: %d, want %d: %.600s", r.path, r.body, a.status, cmp.Or(r.want, 200), a.body)
			}
			return a
		case err == nil:
			c.away++
			comeAgain(c.t, &a)
		case err != errDown:
			c.lost++
		}
		if time.Now().After(end) {
			c.t.Errorf("%s: no answer in a minute: %v %s", r.path, err, c.logged())
			return answer{}
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// tell gives a request whose answer counts from then on.
func (c *client) tell(r request) answer {
	a := c.give(r)
	if a.status == 200 {
		c.told = append(c.told, told{r, a})
	}
	return a
}

// comeAgain checks that an answer asks to come again, as documented.
func comeAgain(t interface{ Errorf(string, ...any) }, a *answer) {
	if a.status != 503 || a.header.Get("Content-Type") != "application/problem+json" || a.header.Get("Retry-After") == "" {
		t.Errorf("%d, %v: %s: expected 503, application/problem+json and Retry-After", a.status, a.header, a.body)
	}
}
