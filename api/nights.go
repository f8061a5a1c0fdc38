package api

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"recoup/api/report"
)

// nights finds the report of the latest night in a folder of runs, D/runs; "" =
// there are none. What was read is kept until another night, or the same night
// again, has been written.
type nights struct {
	dir string

	mu     sync.Mutex
	path   string // of the report that was read
	at     time.Time
	report *report.Report
	html   []byte
}

// last gives the latest report and its page; nil, nil = no night has been run to its end.
func (n *nights) last() (*report.Report, []byte, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.dir == "" {
		return nil, nil, nil
	}
	runs, err := os.ReadDir(n.dir) // sorted: the names are times
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("api: runs: %w", err)
	}
	for i := len(runs) - 1; i >= 0; i-- {
		path := filepath.Join(n.dir, runs[i].Name(), "report.json")
		info, err := os.Stat(path)
		if err != nil {
			continue // under way, or broken off
		}
		if path == n.path && info.ModTime().Equal(n.at) {
			return n.report, n.html, nil
		}
		return n.read(path, info.ModTime())
	}
	return nil, nil, nil
}

// valued is the page on the policies beside the latest report; nil, nil = that night
// wrote none.
func (n *nights) valued() ([]byte, error) {
	if r, _, err := n.last(); err != nil || r == nil {
		return nil, err
	}
	n.mu.Lock()
	path := n.path
	n.mu.Unlock()
	html, err := os.ReadFile(filepath.Join(filepath.Dir(path), "ope.html"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("api: runs: %w", err)
	}
	return html, nil
}

func (n *nights) read(path string, at time.Time) (*report.Report, []byte, error) {
	js, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, fmt.Errorf("api: runs: %w", err)
	}
	r, err := report.Decode(js)
	if err != nil {
		return nil, nil, fmt.Errorf("api: %s: %w", path, err)
	}
	html, err := os.ReadFile(filepath.Join(filepath.Dir(path), "report.html"))
	if err != nil {
		return nil, nil, fmt.Errorf("api: runs: %w", err)
	}
	n.path, n.at, n.report, n.html = path, at, r, html
	return r, html, nil
}
