package chaos

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"recoup/data/ledger"
)

// site is a folder with its ledger, and the servers on it.
type site struct {
	t      testing.TB
	dir    string
	ledger string
	log    *os.File // of all servers, one after the other

	mu      sync.RWMutex
	servers []*server // nil = it is down
}

// server is a running recoup serve.
type server struct {
	cmd *exec.Cmd
	url string
}

// newSite makes a folder and starts servers on it.
func newSite(t testing.TB, ledgerURL string, servers int) *site {
	t.Helper()
	s := &site{t: t, dir: t.TempDir(), ledger: ledgerURL, servers: make([]*server, servers)}
	var err error
	if err = os.WriteFile(filepath.Join(s.dir, "webhook.secrets"), []byte(hookSecret+"\n"), 0o600); err == nil {
		s.log, err = os.Create(filepath.Join(t.TempDir(), "log"))
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for i := range s.servers {
			s.kill(i)
		}
		s.log.Close()
	})
	for i := range s.servers {
		if !s.start(i) {
			t.Fatal("it does not start: ", s.logged())
		}
	}
	return s
}

// start runs a server and reports whether it came to listen.
func (s *site) start(i int) bool {
	cmd := exec.Command(program, "serve", "--dir", s.dir, "--ledger", s.ledger, "--listen", "127.0.0.1:0", "--insecure", "--poll", "100ms", "--drain-delay", "0s")
	cmd.Stderr = s.log
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		s.t.Error(err)
		return false
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "Listening on ")
	if err != nil || !ok {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		return false
	}
	go io.Copy(io.Discard, out)
	s.mu.Lock()
	s.servers[i] = &server{cmd, url}
	s.mu.Unlock()
	return true
}

// kill ends a server as the kernel would that is out of memory.
func (s *site) kill(i int) {
	s.mu.Lock()
	v := s.servers[i]
	s.servers[i] = nil
	s.mu.Unlock()
	if v != nil {
		_ = v.cmd.Process.Signal(syscall.SIGKILL)
		_ = v.cmd.Wait()
	}
}

// url is where a server listens; "" = it is down. Another answers in its place.
func (s *site) url(i int) string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for range s.servers {
		if v := s.servers[i%len(s.servers)]; v != nil {
			return v.url
		}
		i++
	}
	return ""
}

// logged is the end of what the servers logged.
func (s *site) logged() string {
	text, _ := os.ReadFile(s.log.Name())
	return string(text[max(0, len(text)-2000):])
}

// verify runs recoup verify, which must find the chain whole.
func (s *site) verify() {
	s.t.Helper()
	out, err := exec.Command(program, "verify", "--dir", s.dir, "--ledger", s.ledger, "--json").CombinedOutput()
	if err != nil || !strings.Contains(strings.ReplaceAll(string(out), " ", ""), `"intact":true`) {
		s.t.Errorf("recoup verify: %v: %s", err, out)
	}
}

// entries reads the book, past the server.
func (s *site) entries(after int64) (all []ledger.Entry) {
	s.t.Helper()
	l, err := ledger.Open(s.t.Context(), ledger.Config{URL: s.ledger, ReadOnly: true})
	if err != nil {
		s.t.Fatal(err)
	}
	defer l.Close()
	b, err := l.Book(s.t.Context(), "main", 0)
	if err != nil {
		s.t.Fatal(err)
	}
	for e, err := range b.Scan(s.t.Context(), after) {
		if err != nil {
			s.t.Fatal(err)
		}
		all = append(all, e)
	}
	return all
}

// within waits for something to become true.
func within(d time.Duration, is func() bool) bool {
	for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if is() {
			return true
		}
	}
	return is()
}
