package chaos

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
)

// cluster is a PostgreSQL of these tests' own, on a socket in a temporary folder.
type cluster struct {
	dir, bin string
	as       *syscall.Credential // who runs it; nil = us
}

var shared *cluster // that most tests use; nil = none was needed

var sharedURL = sync.OnceValues(func() (string, error) {
	if u := os.Getenv("RECOUP_TEST_POSTGRES"); u != "" {
		return u, nil
	}
	c, err := newCluster()
	if err != nil {
		return "", err
	}
	shared = c
	return c.url(), nil
})

func stopShared() {
	if shared != nil {
		shared.remove()
	}
}

// newCluster makes and starts one; an error says why there is none.
func newCluster() (*cluster, error) {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if path, err := exec.LookPath("initdb"); err == nil {
		found = append(found, path)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no PostgreSQL here: install it (Debian's package postgresql), or name a server in RECOUP_TEST_POSTGRES (postgres://...)")
	}
	c := &cluster{bin: filepath.Dir(found[len(found)-1])}
	var err error
	if c.dir, err = os.MkdirTemp("", "recoup-pg"); err != nil {
		return nil, err
	}
	if os.Getuid() == 0 { // PostgreSQL does not run as root
		u, err := user.Lookup("nobody")
		if err != nil {
			return nil, err
		}
		uid, _ := strconv.Atoi(u.Uid)
		gid, _ := strconv.Atoi(u.Gid)
		c.as = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		if err := os.Chown(c.dir, uid, gid); err != nil {
			return nil, err
		}
	}
	err = c.run("initdb", "-D", c.dir+"/data", "-U", "recoup", "-A", "trust", "--no-locale", "-E", "UTF8", "--no-sync")
	if err == nil {
		err = c.start()
	}
	if err != nil {
		os.RemoveAll(c.dir)
	}
	return c, err
}

func (c *cluster) run(name string, args ...string) error {
	cmd := exec.Command(filepath.Join(c.bin, name), args...)
	cmd.Dir = c.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.as}
	log, err := os.Create(filepath.Join(c.dir, name+".out"))
	if err != nil {
		return err
	}
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log // a file: a server that stays must not keep a pipe open
	if err := cmd.Run(); err != nil {
		said, _ := os.ReadFile(log.Name())
		return fmt.Errorf("%s: %w: %s", name, err, said)
	}
	return nil
}

// start runs it. fsync is off: what is tested here is the death of its clients and its
// own orderly stop, not that of the machine.
func (c *cluster) start() error {
	return c.run("pg_ctl", "-D", c.dir+"/data", "-l", c.dir+"/log", "-w", "-o", "-h '' -k "+c.dir+" -c max_connections=200 -c fsync=off", "start")
}

// stop ends it, in the middle of whatever its clients do.
func (c *cluster) stop() error {
	return c.run("pg_ctl", "-D", c.dir+"/data", "-m", "fast", "stop")
}

func (c *cluster) remove() {
	_ = c.run("pg_ctl", "-D", c.dir+"/data", "-m", "immediate", "stop")
	os.RemoveAll(c.dir)
}

func (c *cluster) url() string { return "postgres://recoup@/postgres?host=" + url.QueryEscape(c.dir) }

var schemas atomic.Int64

// postgresURL is an empty database's: a schema of its own.
func postgresURL(t testing.TB) string {
	t.Helper()
	u, err := sharedURL()
	if err != nil {
		t.Skip(err)
	}
	conn, err := pgx.Connect(t.Context(), u)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	name := fmt.Sprintf("recoup_chaos_%d_%d", os.Getpid(), schemas.Add(1))
	if _, err := conn.Exec(t.Context(), "CREATE SCHEMA "+name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		conn, err := pgx.Connect(context.Background(), u)
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close(context.Background())
		if _, err := conn.Exec(context.Background(), "SET client_min_messages = error; DROP SCHEMA "+name+" CASCADE"); err != nil {
			t.Error(err)
		}
	})
	join := "?"
	if strings.Contains(u, "?") {
		join = "&"
	}
	return u + join + "search_path=" + name
}
