package main

import (
	"bufio"
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"recoup/data"
	"recoup/score"
)

// TestServe runs the scripts that need a server: the real program in a process
// of its own, asked over a socket.
func TestServe(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/serve",
		RequireExplicitExec: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "serve": startServer, "ask": ask, "until": until, "begin": begin, "finish": finish, "signal": signalServer, "ended": ended, "case": openCase, "damage": damage,
			"with": with, "signed": signed, "exploring": exploring, "formula": formula,
		},
		Setup: func(e *testscript.Env) error {
			s := &served{}
			e.Values["served"] = s
			e.Defer(s.kill)
			return nil
		},
	})
}

// served is the server of a script.
type served struct {
	cmd *exec.Cmd
	url string
	log bytes.Buffer
	adm string   // url of the admin routes
	hdr []string // of the requests
	out io.ReadCloser

	conn net.Conn // of the request that begin began
	rest string   // of its body
}

type result struct {
	status int
	body   []byte
	err    error
}

func of(ts *testscript.TestScript) *served { return ts.Value("served").(*served) }

func (s *served) kill() {
	if s.cmd != nil && s.cmd.ProcessState == nil {
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait()
	}
}

// serve ARGS... starts recoup serve and waits until it says where it listens.
func startServer(ts *testscript.TestScript, neg bool, args []string) {
	s := of(ts)
	*s = served{hdr: s.hdr, cmd: exec.Command("recoup", append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)}
	s.cmd.Dir = ts.MkAbs(".")
	s.cmd.Stderr = &s.log
	var err error
	s.out, err = s.cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(s.cmd.Start())
	said := bufio.NewScanner(s.out)
	for said.Scan() && said.Text() != "" {
		if url, ok := strings.CutPrefix(said.Text(), "Listening on "); ok {
			s.url = url
		}
		if url, ok := strings.CutPrefix(said.Text(), "admin routes on "); ok {
			s.adm = url
		}
		ts.Logf("%s", said.Text())
	}
	ts.Check(said.Err())
	if s.url == "" {
		_ = s.cmd.Wait()
		ts.Fatalf("it does not listen: %s", s.log.Bytes())
	}
}

func (s *served) do(method, path string, body io.Reader) (r result) {
	url := s.url + path
	if strings.HasPrefix(path, "/admin/") {
		url = s.adm + path
	}
	req, err := http.NewRequest(method, url, body)
	if err != nil {
		return result{err: err}
	}
	for _, h := range s.hdr {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	req.Header.Set("Content-Type", "application/json")
	client := http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Do(req)
	if err != nil {
		return result{err: err}
	}
	defer res.Body.Close()
	r.status = res.StatusCode
	r.body, r.err = io.ReadAll(res.Body)
	return r
}

// demand puts an answer into the file `answer` and demands a status.
func (r result) demand(ts *testscript.TestScript, status string) {
	ts.Check(r.err)
	ts.Check(os.WriteFile(ts.MkAbs("answer"), r.body, 0o600))
	if strconv.Itoa(r.status) != status {
		ts.Fatalf("status %d, want %s: %.500s", r.status, status, r.body)
	}
}

// ask METHOD PATH STATUS [BODYFILE]
func ask(ts *testscript.TestScript, neg bool, args []string) {
	var body io.Reader
	if len(args) > 3 {
		body = strings.NewReader(ts.ReadFile(args[3]))
	}
	of(ts).do(args[0], args[1], body).demand(ts, args[2])
}

// with HEADERS... are sent with the requests from now on: "Name: value", or the name of
// a file that holds the answer of recoup keys add --json.
func with(ts *testscript.TestScript, neg bool, args []string) {
	s := of(ts)
	s.hdr = nil
	for _, arg := range args {
		if !strings.Contains(arg, ": ") {
			var made struct{ Key string }
			ts.Check(json.Unmarshal([]byte(ts.ReadFile(arg)), &made))
			arg = "Authorization: Bearer " + made.Key
		}
		s.hdr = append(s.hdr, arg)
	}
}

// signed SECRET BODYFILE makes the requests from now on webhooks of that body.
func signed(ts *testscript.TestScript, neg bool, args []string) {
	mac := hmac.New(sha256.New, []byte(args[0]))
	mac.Write([]byte(ts.ReadFile(args[1])))
	of(ts).hdr = []string{"X-Razorpay-Signature: " + hex.EncodeToString(mac.Sum(nil)), "X-Razorpay-Event-Id: " + args[1]}
}

// until PATH TEXT asks until the answer holds the text.
func until(ts *testscript.TestScript, neg bool, args []string) {
	var r result
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if r = of(ts).do("GET", args[0], nil); bytes.Contains(r.body, []byte(args[1])) {
			r.demand(ts, strconv.Itoa(r.status))
			return
		}
	}
	ts.Fatalf("%s never holds %q: %v %s", args[0], args[1], r.err, r.body)
}

// begin PATH BODYFILE sends half of a request.
func begin(ts *testscript.TestScript, neg bool, args []string) {
	s, body := of(ts), ts.ReadFile(args[1])
	var err error
	s.conn, err = net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	ts.Check(err)
	ts.Check(s.conn.SetDeadline(time.Now().Add(30 * time.Second)))
	s.rest = body[len(body)/2:]
	_, err = fmt.Fprintf(s.conn, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		args[0], len(body), body[:len(body)/2])
	ts.Check(err)
}

// finish STATUS sends the other half of the request and takes the answer.
func finish(ts *testscript.TestScript, neg bool, args []string) {
	s := of(ts)
	defer s.conn.Close()
	_, err := io.WriteString(s.conn, s.rest)
	ts.Check(err)
	res, err := http.ReadResponse(bufio.NewReader(s.conn), nil)
	ts.Check(err)
	body, err := io.ReadAll(res.Body)
	result{res.StatusCode, body, err}.demand(ts, args[0])
}

// signal NAME sends TERM or HUP to the server.
func signalServer(ts *testscript.TestScript, neg bool, args []string) {
	name, ok := map[string]syscall.Signal{"TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP, "INT": syscall.SIGINT}[args[0]]
	if !ok {
		ts.Fatalf("no signal %s", args[0])
	}
	ts.Check(of(ts).cmd.Process.Signal(name))
}

// ended CODE waits for the server's end; its log goes to the file `log`. CODE
// is the exit code, or the word killed.
func ended(ts *testscript.TestScript, neg bool, args []string) {
	s := of(ts)
	slow := time.AfterFunc(30*time.Second, func() { _ = s.cmd.Process.Kill() })
	_, err := io.Copy(io.Discard, s.out)
	ts.Check(err)
	_ = s.cmd.Wait()
	if !slow.Stop() {
		ts.Fatalf("it does not end: %s", s.log.Bytes())
	}
	ts.Check(os.WriteFile(ts.MkAbs("log"), s.log.Bytes(), 0o600))
	got := strconv.Itoa(s.cmd.ProcessState.ExitCode())
	if got == "-1" {
		got = "killed"
	}
	if got != args[0] {
		ts.Fatalf("exit %s, want %s: %s", got, args[0], s.log.Bytes())
	}
}

// case DIR ASOF FILE writes the request for a case that is open at ASOF, out of
// a log: its customer's attempts.
func openCase(ts *testscript.TestScript, neg bool, args []string) {
	log, err := data.OpenLog(ts.MkAbs(args[0]))
	ts.Check(err)
	asOf, err := parseAsOf("case", args[1])
	ts.Check(err)
	rows := map[string][]data.Attempt{} // by customer
	var last data.Attempt
	for batch, err := range data.Scan[data.Attempt](log, data.AsOf(asOf)) {
		ts.Check(err)
		for _, a := range batch {
			rows[a.CustomerID] = append(rows[a.CustomerID], a)
			if a.Status == data.Failed && a.Reason.Class() == data.RetryScheduled {
				last = a
			}
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"as_of":%q,"case_id":%q,"events":[`, asOf, last.CaseID)
	for i, a := range rows[last.CustomerID] {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(data.AppendJSON(nil, &a))
	}
	b.WriteString("]}")
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), b.Bytes(), 0o600))
}

// damage GLOB changes files.
func damage(ts *testscript.TestScript, neg bool, args []string) {
	paths, err := filepath.Glob(ts.MkAbs(args[0]))
	ts.Check(err)
	for _, path := range paths {
		b, err := os.ReadFile(path)
		ts.Check(err)
		ts.Check(os.WriteFile(path, append(b, ' '), 0o600))
	}
}

// exploring DIRS... get a policy that gives all cases to the explorer, and a salt for it.
func exploring(ts *testscript.TestScript, neg bool, args []string) {
	text := bytes.Replace(score.DefaultText(), []byte("arms: {rules: 0, model: 1, explorer: 0,"), []byte("arms: {rules: 0, model: 0, explorer: 1,"), 1)
	if bytes.Equal(text, score.DefaultText()) {
		ts.Fatalf("the built-in policy names its arms otherwise")
	}
	for _, dir := range args {
		ts.Check(os.MkdirAll(ts.MkAbs(dir), 0o755))
		ts.Check(os.WriteFile(filepath.Join(ts.MkAbs(dir), "policy.yaml"), text, 0o600))
		ts.Check(os.WriteFile(filepath.Join(ts.MkAbs(dir), score.KeyFile), []byte("YSBzYWx0IGZvciB0ZXN0cywgbm90aGluZyBtb3JlLCAzMiBieXRlcw==\n"), 0o600))
	}
}

// formula NAME DIR puts into the variable NAME how the night of that folder calls the
// bandit that it learned.
func formula(ts *testscript.TestScript, neg bool, args []string) {
	var said struct{ Formula string }
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(filepath.Join(args[1], "relearned.json"))), &said))
	ts.Setenv(args[0], said.Formula)
}
