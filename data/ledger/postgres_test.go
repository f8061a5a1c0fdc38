package ledger

import (
	"context"
	"database/sql"
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
)

// cluster is a PostgreSQL of the tests' own, on a socket in a temporary folder.
type cluster struct {
	dir, bin string
	as       *syscall.Credential // who runs it; nil = us
}

// server is the one that the tests share; nil = none was needed, or RECOUP_TEST_POSTGRES names another.
var server *cluster

var serverURL = sync.OnceValues(func() (string, error) {
	if u := os.Getenv("RECOUP_TEST_POSTGRES"); u != "" {
		return u, nil
	}
	c, err := startCluster()
	if err != nil {
		return "", err
	}
	server = c
	return c.url(), nil
})

// startCluster makes and starts a cluster; an error says why there is none.
func startCluster() (*cluster, error) {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if path, err := exec.LookPath("initdb"); err == nil {
		found = append(found, path)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no PostgreSQL here: install it, or name a server in RECOUP_TEST_POSTGRES (postgres://...)")
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
	if err := c.run("initdb", "-D", c.dir+"/data", "-U", "recoup", "-A", "trust", "--no-locale", "-E", "UTF8", "--no-sync"); err != nil {
		return nil, err
	}
	// the tests kill processes, not the machine
	conf, err := os.OpenFile(c.dir+"/data/postgresql.auto.conf", os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	_, err = conf.WriteString("fsync = off\n")
	if e := conf.Close(); err == nil {
		err = e
	}
	if err != nil {
		return nil, err
	}
	return c, c.start()
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

func (c *cluster) start() error {
	return c.run("pg_ctl", "-D", c.dir+"/data", "-l", c.dir+"/log", "-w", "-o", "-h '' -k "+c.dir+" -c max_connections=300", "start")
}

// crash stops the server as a power cut would.
func (c *cluster) crash() error {
	return c.run("pg_ctl", "-D", c.dir+"/data", "-m", "immediate", "stop")
}

func (c *cluster) stop() {
	c.crash()
	os.RemoveAll(c.dir)
}

func (c *cluster) url() string { return "postgres://recoup@/postgres?host=" + url.QueryEscape(c.dir) }

var schemas atomic.Int64

// postgresURL is an empty database's: a schema of its own in the tests' server.
func postgresURL(t testing.TB) string {
	t.Helper()
	u, err := serverURL()
	if err != nil {
		t.Skip(err)
	}
	return newSchema(t, u)
}

func newSchema(t testing.TB, u string) string {
	t.Helper()
	db, err := sql.Open("pgx", u)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	name := fmt.Sprintf("recoup_test_%d_%d", os.Getpid(), schemas.Add(1))
	if _, err := db.ExecContext(context.Background(), "CREATE SCHEMA "+name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		db, err := sql.Open("pgx", u)
		if err != nil {
			t.Error(err)
			return
		}
		defer db.Close()
		if _, err := db.ExecContext(context.Background(), "SET client_min_messages = error; DROP SCHEMA "+name+" CASCADE"); err != nil {
			t.Error(err)
		}
	})
	join := "?"
	if strings.Contains(u, "?") {
		join = "&"
	}
	return u + join + "search_path=" + name
}
