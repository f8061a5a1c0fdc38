package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// postgres is a cluster of the bench's own with its default settings, on a socket.
type postgres struct {
	dir, bin string
	as       *syscall.Credential // who runs it; nil = us
}

// startPostgres makes one on the disk that is measured; nil, and why, where it cannot.
func startPostgres(ctx context.Context, scratch string) (*postgres, error) {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if path, err := exec.LookPath("initdb"); err == nil {
		found = append(found, path)
	}
	if len(found) == 0 {
		return nil, errors.New("not installed")
	}
	p := &postgres{bin: filepath.Dir(found[len(found)-1])}
	var err error
	if p.dir, err = os.MkdirTemp("", "recoup-pg"); err != nil { // a short path: it holds the socket
		return nil, err
	}
	if os.Getuid() == 0 { // PostgreSQL does not run as root
		u, err := user.Lookup("nobody")
		if err != nil {
			return nil, err
		}
		uid, _ := strconv.Atoi(u.Uid)
		gid, _ := strconv.Atoi(u.Gid)
		p.as = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		if err := os.Chown(p.dir, uid, gid); err != nil {
			return nil, err
		}
	}
	err = p.run(ctx, "initdb", "-D", p.dir+"/data", "-U", "recoup", "-A", "trust", "--no-locale", "-E", "UTF8", "--no-sync")
	if err == nil {
		err = p.run(ctx, "pg_ctl", "-D", p.dir+"/data", "-l", p.dir+"/log", "-w", "-o", "-h '' -k "+p.dir, "start")
	}
	if err != nil {
		p.stop()
		return nil, err
	}
	return p, nil
}

func (p *postgres) run(ctx context.Context, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, filepath.Join(p.bin, name), args...)
	cmd.Dir = p.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: p.as}
	log, err := os.Create(filepath.Join(p.dir, name+".out"))
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

// pid is that of the parent of its processes; 0 = not known.
func (p *postgres) pid() int {
	text, _ := os.ReadFile(p.dir + "/data/postmaster.pid")
	first, _, _ := bytes.Cut(text, []byte("\n"))
	pid, _ := strconv.Atoi(string(first))
	return pid
}

func (p *postgres) url() string { return "postgres://recoup@/postgres?host=" + url.QueryEscape(p.dir) }

func (p *postgres) stop() {
	_ = p.run(context.Background(), "pg_ctl", "-D", p.dir+"/data", "-m", "immediate", "stop")
	os.RemoveAll(p.dir)
}
