package api

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"go.uber.org/goleak"
)

// run serves on a real socket until the test ends, or stop is called.
func (w *world) run() (addr string, stop func() error) {
	w.t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		w.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- w.Run(ctx, l, nil) }()
	stopped := false
	stop = func() error {
		if stopped {
			return nil
		}
		stopped = true
		cancel()
		return <-done
	}
	w.t.Cleanup(func() { stop() })
	return l.Addr().String(), stop
}

// dial opens a raw connection and sends text.
func dial(t *testing.T, addr, text string) (net.Conn, *bufio.Reader) {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if err := c.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(c, text); err != nil {
		t.Fatal(err)
	}
	return c, bufio.NewReader(c)
}

// closed demands that the server ends the connection without another word.
func closed(t *testing.T, what string, r *bufio.Reader) {
	t.Helper()
	rest, err := io.ReadAll(r)
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() || len(rest) > 0 {
		t.Errorf("%s: %q, %v", what, rest, err)
	}
}

const head = "POST /v1/score HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"

// Each time-out alone: the others would come an hour later.
func TestSlowCallersAreSentAway(t *testing.T) {
	patient := func(c *Config) { c.ReadHeader, c.Read, c.Write, c.Idle = time.Hour, time.Hour, time.Hour, time.Hour }
	impatient := func(change func(*Config)) string {
		addr, _ := serve(t, 0, func(c *Config) { patient(c); change(c) }).run()
		return addr
	}

	_, r := dial(t, impatient(func(c *Config) { c.ReadHeader = 50 * time.Millisecond }), head+"X-Slow: ") // never ends its headers
	closed(t, "headers", r)

	_, r = dial(t, impatient(func(c *Config) { c.Read = 50 * time.Millisecond }), head+"Content-Length: 100\r\n\r\n{") // never ends its body
	res, err := http.ReadResponse(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(res.Body)
	problemOf(t, answer{res, body}, BodyTimeout)
	closed(t, "body", r)

	_, r = dial(t, impatient(func(c *Config) { c.Idle = 50 * time.Millisecond }), "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n") // and then nothing
	if res, err = http.ReadResponse(r, nil); err != nil || res.StatusCode != 200 {
		t.Fatal(res, err)
	}
	io.Copy(io.Discard, res.Body)
	closed(t, "idle", r)
}

func TestSlowReaderIsSentAway(t *testing.T) {
	w := serve(t, 0, func(c *Config) { c.Write = 100 * time.Millisecond })
	failed := make(chan error, 1)
	w.Handler().(*gin.Engine).GET("/endless", func(c *gin.Context) {
		for {
			if _, err := c.Writer.Write(make([]byte, 1<<16)); err != nil {
				failed <- err
				return
			}
		}
	})
	addr, _ := w.run()
	dial(t, addr, "GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n") // and never reads
	select {
	case <-failed:
	case <-time.After(20 * time.Second):
		t.Error("the write timeout does not work")
	}
}

func TestBoundedSizes(t *testing.T) {
	w := serve(t, 0, nil)
	addr, _ := w.run()
	_, r := dial(t, addr, head+"X-Long: "+strings.Repeat("x", 64<<10)+"\r\n\r\n")
	if res, err := http.ReadResponse(r, nil); err != nil || res.StatusCode != 431 {
		t.Error(res, err)
	}
	body := strings.Repeat(" ", 2<<20)
	for name, text := range map[string]string{
		"announced": fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", head, len(body), body),
		"chunked":   fmt.Sprintf("%sTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", head, len(body), body),
	} {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		go io.WriteString(c, text) // the server answers before it has read all
		res, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatal(name, err)
		}
		got, _ := io.ReadAll(res.Body)
		problemOf(t, answer{res, got}, TooLarge)
		if !res.Close {
			t.Errorf("%s: the connection stays open", name)
		}
		c.Close()
	}
	// Exactly the limit is not too large.
	limit := int(Default().MaxBody)
	if a := w.request("POST", "/v1/score", strings.Repeat(" ", limit)); problemCode(t, a) == TooLarge {
		t.Error("the limit itself is refused")
	}
	if a := w.request("POST", "/v1/score", strings.Repeat(" ", limit+1)); problemCode(t, a) != TooLarge {
		t.Error("one byte above the limit is taken")
	}
}

func problemCode(t *testing.T, a answer) Code {
	var p Problem
	a.json(t, &p)
	return p.Code
}

// TestDrain: /readyz says no, the request in flight is answered, the connection
// is closed after it, nobody new gets in, nothing is left behind.
func TestDrain(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	w := serve(t, 0, func(c *Config) { c.DrainDelay = 100 * time.Millisecond })
	entered, leave := make(chan struct{}), make(chan struct{})
	w.Handler().(*gin.Engine).GET("/slow", func(c *gin.Context) { close(entered); <-leave; c.String(200, "whole") })
	addr, stop := w.run()
	_, slow := dial(t, addr, "GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n")
	<-entered
	stopped := make(chan error, 1)
	go func() { stopped <- stop() }()
	for end := time.Now().Add(20 * time.Second); !w.draining.Load(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it does not drain")
		}
	}
	_, r := dial(t, addr, "GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n") // it listens still
	res, err := http.ReadResponse(r, nil)
	if err != nil || res.StatusCode != 503 || !res.Close {
		t.Fatal(res, err)
	}
	if body, _ := io.ReadAll(res.Body); !strings.Contains(string(body), `"draining"`) {
		t.Error(string(body))
	}
	for deadline := time.Now().Add(20 * time.Second); ; { // until the drain delay is over
		c, err := net.Dial("tcp", addr)
		if err != nil {
			break
		}
		c.Close()
		if time.Now().After(deadline) {
			t.Fatal("it listens on and on")
		}
		time.Sleep(10 * time.Millisecond)
	}
	select {
	case err := <-stopped:
		t.Fatal("ended with a request in flight", err)
	default:
	}
	close(leave)
	if res, err = http.ReadResponse(slow, nil); err != nil {
		t.Fatal(err)
	}
	if body, err := io.ReadAll(res.Body); string(body) != "whole" || err != nil {
		t.Errorf("%q %v", body, err)
	}
	closed(t, "after the drain", slow)
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

func TestDrainEnds(t *testing.T) {
	w := serve(t, 0, func(c *Config) { c.DrainTimeout = 50 * time.Millisecond })
	entered, leave := make(chan struct{}), make(chan struct{})
	defer close(leave)
	w.Handler().(*gin.Engine).GET("/hangs", func(c *gin.Context) { close(entered); <-leave })
	addr, stop := w.run()
	dial(t, addr, "GET /hangs HTTP/1.1\r\nHost: localhost\r\n\r\n")
	<-entered
	if err := stop(); err == nil || !strings.Contains(err.Error(), "cut off") {
		t.Error(err)
	}
}
