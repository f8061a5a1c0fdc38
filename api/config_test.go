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
	err := Config{Listen: "0.0.0.0:80", Proxies: []string{"10.0.0.0/8", "nearby"}, DrainDelay: -1}.Check()
	if !errors.Is(err, data.ErrUsage) {
		t.Fatal(err)
	}
	for _, want := range []string{"--insecure", `"nearby": expected a CIDR`, "read header timeout", "read timeout", "write timeout", "idle timeout",
		"deadline", "poll", "drain delay", "drain timeout", "header bytes", "body bytes", "requests in flight"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in: %v", want, err)
		}
	}
}

func TestListensOnLoopbackOnly(t *testing.T) {
	for listen, ok := range map[string]bool{"127.0.0.1:0": true, "[::1]:8080": true, "localhost:8080": true, "127.8.9.1:1": true,
		":8080": false, "0.0.0.0:8080": false, "[::]:8080": false, "192.168.1.2:80": false, "example.com:80": false, "127.0.0.1": false, "127.0.0.1:x": false, "127.0.0.1:70000": false} {
		c := Default()
		c.Listen = listen
		if err := c.Check(); (err == nil) != ok {
			t.Errorf("%s: %v", listen, err)
		}
	}
	c := Default()
	c.Listen, c.Insecure = "0.0.0.0:8080", true
	if err := c.Check(); err != nil {
		t.Error(err)
	}
}
