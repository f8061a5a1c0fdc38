package api

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"

	"recoup/data"
	"recoup/models"
	"recoup/score"
)

// Parts are what a server works with.
type Parts struct {
	Policy   *score.Policy
	Registry *models.Registry
	Model    string           // alias or id to follow; "" = champion
	Runs     string           // folder of the nights' reports, D/runs; "" = none to show
	Reload   <-chan os.Signal // look at the registry now; may be nil
	Log      *slog.Logger     // access and faults
	Now      func() time.Time // for durations and the age of the model; decides nothing
	NewID    func() string    // for requests that bring no id
}

// Server answers requests. It is made whole by New and run once by Run.
type Server struct {
	cfg      Config
	parts    Parts
	champion *champion
	shelf    *shelf
	nights   *nights
	metrics  *metrics
	handler  http.Handler
	slots    chan struct{} // one a request in flight
	draining atomic.Bool
	spec     []byte // openapi.json
}

// New makes a server and loads the model. A wrong config Is data.ErrUsage, as is
// a model that is asked for by name and not there; a champion that cannot be used
// is told by /readyz and replaced by the next promotion.
func New(cfg Config, parts Parts) (*Server, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	if parts.Policy == nil || parts.Registry == nil || parts.Log == nil || parts.Now == nil || parts.NewID == nil {
		return nil, data.Faultf(data.ErrUsage, "api: a server needs a policy, a registry, a log, a clock and ids")
	}
	if parts.Model == "" {
		parts.Model = models.Champion
	}
	s := &Server{cfg: cfg, parts: parts, shelf: &shelf{registry: parts.Registry}, nights: &nights{dir: parts.Runs}, metrics: newMetrics(),
		slots: make(chan struct{}, cfg.InFlight)}
	s.champion = &champion{registry: parts.Registry, name: parts.Model, policy: parts.Policy, metrics: s.metrics, log: parts.Log}
	if err := s.champion.first(); err != nil {
		return nil, err
	}
	s.metrics.registry.MustRegister(newModelMetrics(func() *models.Bundle { return s.champion.engine.Load().Model() }, parts.Now))
	var err error
	s.handler, err = s.routes()
	return s, err
}

// Handler answers as the running server does, without its time-outs.
func (s *Server) Handler() http.Handler { return s.handler }

// Engine is what answers now.
func (s *Server) Engine() *score.Engine { return s.champion.engine.Load() }

// Refused says why the wanted model is not the one in use; "" = it is.
func (s *Server) Refused() string {
	if fault := s.champion.fault.Load(); fault != nil {
		return *fault
	}
	return ""
}

// Run serves on l until ctx ends, and then drains: /readyz says no at once, after
// the drain delay no connection is taken any more, and the requests in flight
// get the drain timeout to finish. An error says that some did not, or that the
// listener broke.
func (s *Server) Run(ctx context.Context, l net.Listener) error {
	srv := &http.Server{Handler: s.handler, ReadHeaderTimeout: s.cfg.ReadHeader, ReadTimeout: s.cfg.Read, WriteTimeout: s.cfg.Write,
		IdleTimeout: s.cfg.Idle, MaxHeaderBytes: s.cfg.MaxHeader, ErrorLog: slog.NewLogLogger(s.parts.Log.Handler(), slog.LevelWarn)}
	following, stop := context.WithCancel(ctx)
	followed := make(chan struct{})
	go func() {
		defer close(followed)
		s.champion.follow(following, s.cfg.Poll, s.parts.Reload)
	}()
	defer func() { stop(); <-followed }()
	served := make(chan error, 1)
	go func() { served <- srv.Serve(l) }()
	select {
	case err := <-served:
		return fmt.Errorf("api: %s: %w", l.Addr(), err)
	case <-ctx.Done():
	}
	s.draining.Store(true)
	s.parts.Log.Info("draining", "delay", s.cfg.DrainDelay.String(), "timeout", s.cfg.DrainTimeout.String())
	time.Sleep(s.cfg.DrainDelay)
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.cfg.DrainTimeout)
	defer cancel()
	if err := srv.Shutdown(end); err != nil {
		return errors.Join(fmt.Errorf("api: drain: requests still in flight after %s were cut off: %w", s.cfg.DrainTimeout, err), srv.Close())
	}
	<-served
	s.parts.Log.Info("drained")
	return nil
}

// routes puts the handlers behind the middlewares.
func (s *Server) routes() (http.Handler, error) {
	gin.SetMode(gin.ReleaseMode) // gin has it for the whole process only; debug mode prints routes on standard output
	g := gin.New()
	g.HandleMethodNotAllowed = true
	g.RedirectTrailingSlash = false // a POST that is redirected loses its body
	if err := g.SetTrustedProxies(s.cfg.Proxies); err != nil {
		return nil, fmt.Errorf("api: trusted proxies: %w", err)
	}
	g.Use(s.observe, s.recovered, s.limit)
	g.NoMethod(func(c *gin.Context) { s.fail(c, problem(WrongMethod, "")) })
	g.GET("/metrics", gin.WrapH(s.metrics.handler()))
	if err := s.describe(g); err != nil {
		return nil, err
	}
	return g, s.mountPages(g)
}
