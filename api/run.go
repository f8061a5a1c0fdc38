package api

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"recoup/api/live"
)

// Run serves on l, and the admin routes on admin unless it is nil, until ctx ends,
// and then drains: /readyz says no at once, after the drain delay no connection is
// taken any more, and the requests in flight get the drain timeout to finish. An
// error says that some did not, or that a listener broke.
func (s *Server) Run(ctx context.Context, l, admin net.Listener) error {
	following, stop := context.WithCancel(ctx)
	followed := make(chan struct{})
	go func() {
		defer close(followed)
		s.follow(following)
	}()
	defer func() { stop(); <-followed }()
	served := make(chan error, 2)
	servers := []*http.Server{s.listen(l, s.handler, s.cfg.Write, served)}
	if admin != nil {
		servers = append(servers, s.listen(admin, s.admin, s.cfg.Patience+s.cfg.Write, served))
	}
	select {
	case err := <-served:
		for _, srv := range servers {
			err = errors.Join(err, srv.Close())
		}
		return err
	case <-ctx.Done():
	}
	s.draining.Store(true)
	s.parts.Log.Info("draining", "delay", s.cfg.DrainDelay.String(), "timeout", s.cfg.DrainTimeout.String())
	time.Sleep(s.cfg.DrainDelay)
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.cfg.DrainTimeout)
	defer cancel()
	var cut error
	for _, srv := range servers {
		if err := srv.Shutdown(end); err != nil {
			cut = errors.Join(cut, fmt.Errorf("api: drain: requests still in flight after %s were cut off: %w", s.cfg.DrainTimeout, err), srv.Close())
		}
	}
	if cut != nil {
		return cut
	}
	for range servers {
		<-served
	}
	s.parts.Log.Info("drained")
	return nil
}

// listen serves h on l; its end goes to served.
func (s *Server) listen(l net.Listener, h http.Handler, write time.Duration, served chan<- error) *http.Server {
	srv := &http.Server{Handler: h, ReadHeaderTimeout: s.cfg.ReadHeader, ReadTimeout: s.cfg.Read, WriteTimeout: write,
		IdleTimeout: s.cfg.Idle, MaxHeaderBytes: s.cfg.MaxHeader, ErrorLog: slog.NewLogLogger(s.parts.Log.Handler(), slog.LevelWarn)}
	go func() { served <- fmt.Errorf("api: %s: %w", l.Addr(), srv.Serve(l)) }()
	return srv
}

// follow looks at what may change under a running server every now and then, and
// when asked to, until ctx ends.
func (s *Server) follow(ctx context.Context) {
	tick := time.NewTicker(s.cfg.Poll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-s.parts.Reload:
		}
		s.look(ctx)
	}
}

// look takes in promotions, keys, secrets, and what others appended to the ledger.
func (s *Server) look(ctx context.Context) {
	if s.parts.Keys != nil {
		s.news("keys", s.parts.Keys.look())
	}
	for _, told := range s.parts.Tenants {
		t := s.tenants[told.Name]
		t.champion.look()
		s.news("what the explorer of "+t.name+" draws by", t.champion.redraw())
		s.news("webhook secrets of "+t.name, t.secrets.look())
		if t.desk != nil && ctx.Err() == nil {
			if err := errors.Join(t.present(ctx), s.parts.Ledger.Failing()); ctx.Err() == nil {
				t.away.Store(err != nil)
				s.news("present of "+t.name, err)
			}
		}
	}
	s.news("webhook secrets", s.checkSecrets())
}

// present takes in what others appended or ingested, and asks whether the desk answers.
func (t *tenant) present(ctx context.Context) error {
	if err := t.desk.Refresh(ctx); err != nil {
		return err
	}
	if _, err := t.desk.Case(ctx, "is anybody there?"); !errors.Is(err, live.ErrUnknown) {
		return err
	}
	return nil
}

// news logs a fault when it is another than before: what was there stays in use.
func (s *Server) news(what string, err error) {
	text := ""
	if err != nil {
		text = err.Error()
	}
	if s.faults[what] == text {
		return
	}
	s.faults[what] = text
	if err != nil {
		s.metrics.lookFailures.Inc()
		s.parts.Log.Error("not taken in, what was there stays", "what", what, "cause", text)
	}
}
