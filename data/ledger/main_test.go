package ledger

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

// TestMain also is the program that tests start as a process of its own.
func TestMain(m *testing.M) {
	if childJob() {
		return
	}
	code := m.Run()
	if server != nil {
		server.stop()
	}
	if code == 0 {
		if err := goleak.Find(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}
