package api

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"time"

	"recoup/data"
)

// Config says how to listen and what to bear. Default has sound values.
type Config struct {
	Listen   string   // host:port; port 0 = any free one
	Admin    string   // host:port of the admin routes; "" = they are not served
	Insecure bool     // callers are not authenticated: on loopback alone
	Hosts    []string // names of the Host header beside IP addresses and localhost, e.g. that of a proxy in front
	Proxies  []string // CIDRs whose X-Forwarded-For names the client in the log; none are trusted by default

	ReadHeader time.Duration // for the request line and headers
	Read       time.Duration // for the whole request
	Write      time.Duration // from the end of the headers to the end of the answer
	Idle       time.Duration // between two requests of a connection
	Deadline   time.Duration // of the work on one request
	Patience   time.Duration // of that on one request of the admin listener
	MaxHeader  int           // bytes
	MaxBody    int64         // bytes
	InFlight   int           // requests at once, health checks and metrics apart; more get 503

	Poll         time.Duration // between two looks at the registry's aliases
	DrainDelay   time.Duration // from not ready to the end of listening: time for a balancer to notice
	DrainTimeout time.Duration // for the requests then still in flight
}

// Default listens on loopback only.
func Default() Config {
	return Config{Listen: "127.0.0.1:8080", ReadHeader: 2 * time.Second, Read: 5 * time.Second, Write: 10 * time.Second,
		Idle: time.Minute, Deadline: 5 * time.Second, Patience: 10 * time.Minute, MaxHeader: 16 << 10, MaxBody: 1 << 20, InFlight: 256,
		Poll: 2 * time.Second, DrainDelay: 3 * time.Second, DrainTimeout: 15 * time.Second}
}

// Check reports all that is wrong, at once; the error Is data.ErrUsage.
func (c Config) Check() error {
	faults := []error{c.checkListen("listen", c.Listen)}
	if c.Admin != "" {
		faults = append(faults, c.checkListen("admin", c.Admin))
	}
	for _, p := range c.Proxies {
		if _, err := netip.ParsePrefix(p); err != nil {
			faults = append(faults, fmt.Errorf("trusted proxies: %q: expected a CIDR such as 10.0.0.0/8", p))
		}
	}
	for _, d := range []struct {
		name string
		is   time.Duration
		zero bool // 0 is a value
	}{{"read header timeout", c.ReadHeader, false}, {"read timeout", c.Read, false}, {"write timeout", c.Write, false},
		{"idle timeout", c.Idle, false}, {"deadline", c.Deadline, false}, {"patience", c.Patience, false}, {"poll", c.Poll, false},
		{"drain delay", c.DrainDelay, true}, {"drain timeout", c.DrainTimeout, false}} {
		if d.is < 0 || d.is == 0 && !d.zero {
			faults = append(faults, fmt.Errorf("%s: %s: expected more than 0", d.name, d.is))
		}
	}
	for _, n := range []struct {
		name string
		is   int64
		min  int64
	}{{"header bytes", int64(c.MaxHeader), 1 << 10}, {"body bytes", c.MaxBody, 1 << 10}, {"requests in flight", int64(c.InFlight), 1}} {
		if n.is < n.min {
			faults = append(faults, fmt.Errorf("%s: %d: expected %d or more", n.name, n.is, n.min))
		}
	}
	if err := errors.Join(faults...); err != nil {
		return data.Faultf(data.ErrUsage, "api: config: %w", err)
	}
	return nil
}

// checkListen refuses what is no address, and one that the network can reach where
// nobody asks who calls.
func (c Config) checkListen(what, address string) error {
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("%s: %q: expected host:port, such as 127.0.0.1:8080", what, address)
	}
	if n, err := net.LookupPort("tcp", port); err != nil || n < 0 {
		return fmt.Errorf("%s: %q: no such port", what, address)
	}
	if c.Insecure && !isLoopback(address) {
		return fmt.Errorf("%s: %q: not loopback, and --insecure asks nobody for a key: make keys (recoup keys add) and leave it out", what, address)
	}
	return nil
}

// loopback says whether only this machine can reach the server.
func (c Config) loopback() bool { return isLoopback(c.Listen) }

func isLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}
