package main

import (
	"io"
	"net"
	"net/http"

	"recoup/api"
)

// doNothing reads a request to its end and answers with as many bytes as a
// grid of candidates takes: what is left of the time when nothing is decided.
type doNothing struct{}

var nothing = make([]byte, 11<<10)

func (doNothing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(nothing)
}

// ownServer is net/http with the service's own limits, in this process.
type own struct {
	*http.Server
	addr string
}

func ownServer(h http.Handler) (*own, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	c := api.Default()
	s := &own{&http.Server{Handler: h, ReadHeaderTimeout: c.ReadHeader, ReadTimeout: c.Read, WriteTimeout: c.Write, IdleTimeout: c.Idle}, l.Addr().String()}
	go s.Serve(l) //nolint:errcheck // until Close
	return s, nil
}
