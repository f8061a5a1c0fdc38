package razorpay

import (
	"flag"
	"os"
	"testing"
)

// TestMain keeps the properties that write logs short; -rapid.checks asks for more.
func TestMain(m *testing.M) {
	flag.Set("rapid.checks", "25")
	flag.Parse()
	os.Exit(m.Run())
}
