// Package chaos kills the real program, takes its disk and its database away, and
// looks over HTTP and in the ledger at what is left of what it answered for.
//
//	go test ./cmd/recoup/chaos                                  a handful of rounds
//	go test ./cmd/recoup/chaos -run Killed -rounds 50 -v        the long run
package chaos

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

var (
	rounds  = flag.Int("rounds", 3, "how often each test that kills servers does so")
	seed    = flag.Uint64("seed", 1, "of the moments at which they are killed")
	program string // recoup
)

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "recoup-chaos")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	program = filepath.Join(dir, "recoup")
	if out, err := exec.Command("go", "build", "-o", program, "recoup/cmd/recoup").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
		return 1
	}
	code := m.Run()
	stopShared()
	return code
}
