package api

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"maps"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"recoup/data"
)

// call is what a request carries to whoever works on it.
type call struct {
	id          string
	tenant      *tenant  // nil = of an open route
	key         string   // the name of its key; "" = none
	once        string   // its Idempotency-Key; "" = none
	fingerprint [32]byte // of the request, where it has one
}

type callKey struct{}

// idHeader carries a request's id both ways.
const idHeader = "X-Request-Id"

// callOf is the call that ctx belongs to; an empty one where there is none.
func callOf(ctx context.Context) *call {
	if c, ok := ctx.Value(callKey{}).(*call); ok {
		return c
	}
	return &call{}
}

// requestID is the id of the request that ctx belongs to.
func requestID(ctx context.Context) string { return callOf(ctx).id }

// acceptID takes a caller's id where it can stand in a header and in a log line.
func acceptID(id string) bool {
	if len(id) < 1 || len(id) > 64 {
		return false
	}
	for _, b := range []byte(id) {
		if (b < '0' || b > '9') && (b < 'a' || b > 'z') && (b < 'A' || b > 'Z') && b != '.' && b != '_' && b != '-' {
			return false
		}
	}
	return true
}

// observe is outermost: id, headers, deadline, metrics and the access log.
func (s *Server) observe(c *gin.Context) {
	start := s.parts.Now()
	id := c.GetHeader(idHeader)
	if !acceptID(id) {
		id = s.parts.NewID()
	}
	mine := &call{id: id}
	deadline := s.cfg.Deadline
	if strings.HasPrefix(c.FullPath(), "/admin/") {
		deadline = s.cfg.Patience
	}
	ctx, cancel := context.WithTimeout(context.WithValue(c.Request.Context(), callKey{}, mine), deadline)
	defer cancel()
	c.Request = c.Request.WithContext(ctx)
	h := c.Writer.Header()
	h.Set(idHeader, id)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	if s.draining.Load() {
		h.Set("Connection", "close")
	}
	s.metrics.inFlight.Inc()
	defer func() {
		s.metrics.inFlight.Dec()
		d := s.parts.Now().Sub(start)
		route := c.FullPath()
		if route == "" {
			route = "none"
		}
		s.metrics.request(route, method(c.Request.Method), c.Writer.Status(), d)
		s.parts.Log.LogAttrs(ctx, slog.LevelInfo, "request", slog.String("route", route), slog.String("method", method(c.Request.Method)),
			slog.Int("status", c.Writer.Status()), slog.Int64("duration_us", d.Microseconds()), slog.Int("bytes", max(0, c.Writer.Size())),
			slog.String("client", c.ClientIP()), slog.String("key", mine.key), slog.String("request_id", id))
	}()
	c.Next()
}

// method keeps the number of labels bounded: callers may invent methods.
func method(m string) string {
	if slices.Contains([]string{http.MethodGet, http.MethodPost, http.MethodHead, http.MethodOptions, http.MethodPut, http.MethodDelete, http.MethodPatch}, m) {
		return m
	}
	return "other"
}

// recovered turns a panic into a problem. The answer says nothing of it; the
// log has the stack, never headers or body. Once bytes are out, all that is left
// is to break the connection, so that nobody takes half an answer for a whole one.
func (s *Server) recovered(c *gin.Context) {
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		if err, ok := v.(error); ok && errors.Is(err, http.ErrAbortHandler) {
			panic(v)
		}
		s.parts.Log.Error("panic", "route", c.FullPath(), "request_id", requestID(c.Request.Context()), "cause", v, "stack", string(debug.Stack()))
		if c.Writer.Written() {
			panic(http.ErrAbortHandler)
		}
		s.fail(c, problem(Internal, ""))
	}()
	c.Next()
}

// unlimited are the routes that must answer when the server is full.
var unlimited = []string{"/livez", "/readyz", "/metrics"}

// limit keeps out foreign hosts and requests above the limit, and bounds the body.
func (s *Server) limit(c *gin.Context) {
	if !s.knownHost(c.Request.Host) {
		s.fail(c, problem(WrongHost, ""))
		return
	}
	if !slices.Contains(unlimited, c.FullPath()) {
		select {
		case s.slots <- struct{}{}:
			defer func() { <-s.slots }()
		default:
			s.metrics.refused.Inc()
			s.fail(c, problem(Busy, ""))
			return
		}
	}
	if c.Request.Body != nil {
		c.Request.Body = http.MaxBytesReader(c.Writer, c.Request.Body, s.cfg.MaxBody)
	}
	c.Next()
}

// knownHost protects a server that only its own machine can reach from web
// pages that give their host name the address 127.0.0.1. A server that the
// network may reach is called by names it cannot know.
func (s *Server) knownHost(host string) bool {
	if !s.cfg.loopback() && len(s.cfg.Hosts) == 0 || host == "" {
		return true
	}
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.Trim(host, "[]")
	if _, err := netip.ParseAddr(host); err == nil || strings.EqualFold(host, "localhost") {
		return true
	}
	return slices.ContainsFunc(s.cfg.Hosts, func(h string) bool { return strings.EqualFold(h, host) })
}

// query refuses what huma would read in silence: a query that does not parse,
// and a parameter given twice.
func (s *Server) query(c *gin.Context) {
	if c.Request.URL.RawQuery == "" {
		return
	}
	values, err := url.ParseQuery(c.Request.URL.RawQuery)
	if err != nil {
		s.fail(c, problem(BadQuery, "the query is not properly escaped"))
		return
	}
	var faults []data.Fault
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if len(values[name]) > 1 {
			faults = append(faults, data.Fault{Path: "query." + name, Message: "given more than once"})
		} else if values[name][0] == "" {
			faults = append(faults, data.Fault{Path: "query." + name, Message: "empty: leave it out"})
		}
	}
	if len(faults) > 0 {
		s.fail(c, faulty(BadQuery, faults))
	}
}

// jsonBody reads the whole body of a JSON route before huma does, to tell too
// large, too slow and of another type apart.
func (s *Server) jsonBody(c *gin.Context) {
	if c.Request.Method != http.MethodPost {
		c.Next()
		return
	}
	kind, params, err := mime.ParseMediaType(c.GetHeader("Content-Type"))
	if err != nil || kind != "application/json" || params["charset"] != "" && !strings.EqualFold(params["charset"], "utf-8") || c.GetHeader("Content-Encoding") != "" {
		s.fail(c, problem(WrongType, "expected Content-Type: application/json (with curl: -H 'Content-Type: application/json')"))
		return
	}
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	defer buffers.Put(buf)
	var tooLarge *http.MaxBytesError
	_, err = buf.ReadFrom(c.Request.Body)
	switch {
	case errors.As(err, &tooLarge):
		c.Header("Connection", "close") // what is left is not read
		s.fail(c, problem(TooLarge, ""))
	case errors.Is(err, os.ErrDeadlineExceeded):
		c.Header("Connection", "close")
		s.fail(c, problem(BodyTimeout, ""))
	case err != nil: // the caller went away; nobody reads this
		c.Header("Connection", "close")
		s.fail(c, problem(NotJSON, "the body broke off"))
	default:
		if p := s.onceOf(c, buf.Bytes()); p != nil {
			s.fail(c, p)
			return
		}
		c.Request.Body = io.NopCloser(buf)
		c.Next()
	}
}

// fail ends a request with a problem.
func (s *Server) fail(c *gin.Context, p *Problem) {
	c.Abort()
	p.write(c.Writer, requestID(c.Request.Context()))
}
