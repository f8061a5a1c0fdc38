package api

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"
	"github.com/gin-gonic/gin"

	"recoup/data/ledger"
)

// appending is a server with a route that appends an entry of its own at each call.
func appending(t *testing.T) *world {
	w := serve(t, 0, nil).recording()
	g := w.Handler().(*gin.Engine)
	api := humagin.NewWithGroup(g, g.Group("", w.query, w.jsonBody), w.humaConfig("test", ""))
	type wrote struct {
		Seq int64  `json:"seq"`
		At  string `json:"at"`
	}
	var n int
	var mu sync.Mutex
	for _, path := range []string{"/v1/appends", "/v1/appends-too"} {
		huma.Register(api, idempotent(operation("POST", path, "append"+path, "", "")), func(ctx context.Context, in *rawBody) (*struct{ Body wrote }, error) {
			mu.Lock()
			n++
			key := fmt.Sprint(n)
			mu.Unlock()
			made := func(r []ledger.Receipt) any { return wrote{r[0].Seq, r[0].KnownAt.String() + "<&>"} }
			done, err := tenantOf(ctx).desk.Book().Append(ctx, ledger.Job{Drafts: []ledger.Draft{{Kind: ledger.Webhook, Key: key, Body: []byte(`{}`)}}, Once: once(ctx, made)})
			if err != nil {
				return nil, ledgerFault(err)
			}
			if done.Replayed {
				return nil, replay(done)
			}
			return &struct{ Body wrote }{made(done.Receipts).(wrote)}, nil
		})
	}
	return w
}

// TestIdempotency: the same request with the same key gets the same bytes, and happens
// once; another request with it is refused, and the key belongs to its tenant.
func TestIdempotency(t *testing.T) {
	w := appending(t)
	post := func(path, body, key string) answer {
		return w.request("POST", path, body, "Idempotency-Key: "+key)
	}
	first := post("/v1/appends", `{"a":1}`, "k-1")
	if first.StatusCode != 200 || first.Header.Get(replayedHeader) != "" || !strings.Contains(string(first.body), "<&>") {
		t.Fatalf("%d %s %s", first.StatusCode, first.Header, first.body)
	}
	for range 2 {
		again := post("/v1/appends", `{"a":1}`, "k-1")
		if again.StatusCode != 200 || again.Header.Get(replayedHeader) != "true" || string(again.body) != string(first.body) ||
			again.Header.Get("Content-Type") != first.Header.Get("Content-Type") || again.Header.Get("Content-Length") != first.Header.Get("Content-Length") {
			t.Errorf("%d %v %s, first %v %s", again.StatusCode, again.Header, again.body, first.Header, first.body)
		}
	}
	problemOf(t, post("/v1/appends", `{"a":2}`, "k-1"), Reused)
	problemOf(t, post("/v1/appends", `{"a":1} `, "k-1"), Reused) // the bytes count
	problemOf(t, post("/v1/appends-too", `{"a":1}`, "k-1"), Reused)
	if other := post("/v1/appends", `{"a":1}`, "k-2"); other.StatusCode != 200 || string(other.body) == string(first.body) {
		t.Error("another key is not another request")
	}
	for range 2 {
		if a := w.request("POST", "/v1/appends", `{"a":1}`); a.StatusCode != 200 || a.Header.Get(replayedHeader) != "" {
			t.Errorf("%d %v", a.StatusCode, a.Header)
		}
	}
	entries := 0
	for _, err := range w.main.desk.Book().Scan(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		entries++
	}
	if entries != 4 {
		t.Errorf("%d entries, want 4", entries)
	}
}

func TestIdempotencyAtOnce(t *testing.T) {
	w := appending(t)
	var posts sync.WaitGroup
	answers := make([]answer, 20)
	for i := range answers {
		posts.Go(func() { answers[i] = w.request("POST", "/v1/appends", `{"a":1}`, "Idempotency-Key: k") })
	}
	posts.Wait()
	fresh := 0
	for _, a := range answers {
		if a.StatusCode != http.StatusOK || string(a.body) != string(answers[0].body) {
			t.Errorf("%d %s", a.StatusCode, a.body)
		}
		if a.Header.Get(replayedHeader) == "" {
			fresh++
		}
	}
	if fresh != 1 {
		t.Errorf("%d of 20 happened", fresh)
	}
}

func TestIdempotencyKeys(t *testing.T) {
	w := appending(t)
	for key, ok := range map[string]bool{"a": true, strings.Repeat("~", 255): true, "0b4c1d2e-0000-4000-8000-000000000000": true,
		strings.Repeat("x", 256): false, "two words": false, "né": false, "tab\tin": false} {
		a := w.request("POST", "/v1/appends", `{}`, "Idempotency-Key: "+key)
		if ok && a.StatusCode != 200 {
			t.Errorf("%q: %d %s", key, a.StatusCode, a.body)
		} else if !ok {
			problemOf(t, a, BadOnceKey)
		}
	}
}

// TestFingerprint: each part counts, and none runs into the next.
func TestFingerprint(t *testing.T) {
	seen := map[[32]byte]string{}
	for _, p := range [][4]string{{"POST", "/a", "main", "b"}, {"PUT", "/a", "main", "b"}, {"POST", "/ab", "main", ""}, {"POST", "/a", "mainb", ""}, {"POST", "/a", "main", ""}, {"POST/", "a", "main", "b"}} {
		f := fingerprint(p[0], p[1], p[2], []byte(p[3]))
		if other, taken := seen[f]; taken {
			t.Errorf("%v is %s", p, other)
		}
		seen[f] = fmt.Sprint(p)
	}
}
