package api

import (
	"errors"
	"strings"
	"testing"

	"recoup/data"
)

func TestConfigTellsAllFaults(t *testing.T) {
	if err := Default().Check(); err != nil {
		t.Fatal(err)
	}
	err := Config{Listen: "0.0.0.0:80", Admin: "nowhere", Insecure: true, Proxies: []string{"10.0.0.0/8", "nearby"}, DrainDelay: -1}.Check()
	if !errors.Is(err, data.ErrUsage) {
		t.Fatal(err)
	}
	for _, want := range []string{`listen: "0.0.0.0:80": not loopback`, `admin: "nowhere": expected host:port`, `"nearby": expected a CIDR`, "read header timeout", "read timeout",
		"write timeout", "idle timeout", "deadline", "patience", "poll", "drain delay", "drain timeout", "header bytes", "body bytes", "requests in flight"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in: %v", want, err)
		}
	}
}

// TestInsecureIsLoopback: who asks nobody for a key listens on loopback alone; with
// keys every address will do.
func TestInsecureIsLoopback(t *testing.T) {
	for listen, want := range map[string][2]bool{"127.0.0.1:0": {true, true}, "[::1]:8080": {true, true}, "localhost:8080": {true, true}, "127.8.9.1:1": {true, true},
		":8080": {true, false}, "0.0.0.0:8080": {true, false}, "[::]:8080": {true, false}, "192.168.1.2:80": {true, false}, "example.com:80": {true, false},
		"127.0.0.1": {}, "127.0.0.1:x": {}, "127.0.0.1:70000": {}} {
		for i, insecure := range []bool{false, true} {
			c := Default()
			c.Listen, c.Insecure = listen, insecure
			if err := c.Check(); (err == nil) != want[i] {
				t.Errorf("%s, insecure %v: %v", listen, insecure, err)
			}
			c.Listen, c.Admin = "127.0.0.1:0", listen
			if err := c.Check(); (err == nil) != want[i] {
				t.Errorf("admin %s, insecure %v: %v", listen, insecure, err)
			}
		}
	}
}
