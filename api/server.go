package api

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"

	"recoup/data"
	"recoup/data/ledger"
	"recoup/models"
	"recoup/score"
)

// Parts are what a server works with.
type Parts struct {
	Tenants  []Tenant       // the main one first
	Keys     *Keys          // nil = callers are not authenticated, and all of them are the main tenant's
	Ledger   *ledger.Ledger // nil = nothing is recorded
	Replay   bool           // known_at comes from the rows, and the clock is the latest one seen
	ReadOnly bool           // nothing is recorded though there is a ledger
	Keeping  Keeping        // of the ledger, for the admin routes

	Model  string           // alias or id to follow; "" = champion
	Reload <-chan os.Signal // look at registries, keys and secrets now; may be nil
	Log    *slog.Logger     // access and faults
	Now    func() time.Time // the clock
	NewID  func() string    // for requests that bring no id
}

// Server answers requests. It is made whole by New and run once by Run.
type Server struct {
	cfg       Config
	parts     Parts
	main      *tenant
	tenants   map[string]*tenant // by name, the main one among them
	metrics   *metrics
	handler   http.Handler
	admin     http.Handler
	slots     chan struct{} // one a request in flight
	strangers strangers
	draining  atomic.Bool
	spec      []byte            // openapi.json
	faults    map[string]string // by what look looks at: why it was not taken in; of follow's goroutine
}

// New makes a server, loads the models and rebuilds every tenant's present. A wrong
// config Is data.ErrUsage, as is a model that is asked for by name and not there; a
// champion that cannot be used is told by /readyz and replaced by the next promotion.
func New(ctx context.Context, cfg Config, parts Parts) (*Server, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	if err := parts.check(cfg); err != nil {
		return nil, err
	}
	if parts.Model == "" {
		parts.Model = models.Champion
	}
	s := &Server{cfg: cfg, parts: parts, tenants: map[string]*tenant{}, faults: map[string]string{}, metrics: newMetrics(), slots: make(chan struct{}, cfg.InFlight)}
	for _, told := range parts.Tenants {
		t, err := s.openTenant(ctx, told)
		if err != nil {
			return nil, err
		}
		if s.tenants[t.name] != nil {
			return nil, data.Faultf(data.ErrUsage, "api: tenant %s is there twice", t.name)
		}
		s.tenants[t.name] = t
	}
	s.main = s.tenants[MainTenant]
	if err := s.checkSecrets(); err != nil {
		return nil, err
	}
	s.metrics.registry.MustRegister(newTenantMetrics(s))
	var err error
	if s.handler, err = s.routes(); err == nil {
		s.admin, err = s.adminRoutes()
	}
	return s, err
}

// check reports what is missing.
func (p *Parts) check(cfg Config) error {
	switch {
	case len(p.Tenants) == 0 || p.Tenants[0].Name != MainTenant:
		return data.Faultf(data.ErrUsage, "api: a server needs the tenant %s, as the first", MainTenant)
	case p.Log == nil || p.Now == nil || p.NewID == nil:
		return data.Faultf(data.ErrUsage, "api: a server needs a log, a clock and ids")
	case p.Keys == nil && !cfg.Insecure:
		return data.Faultf(data.ErrUsage, "api: no keys, so nobody could call it: make one with recoup keys add, or say --insecure to answer everybody on this machine")
	case p.Keys != nil && cfg.Insecure:
		return data.Faultf(data.ErrUsage, "api: --insecure answers everybody, and there are keys: leave it out, or revoke them")
	}
	return nil
}

// Handler answers as the running server does, without its time-outs.
func (s *Server) Handler() http.Handler { return s.handler }

// Admin answers what the admin listener is asked, without time-outs.
func (s *Server) Admin() http.Handler { return s.admin }

// Engine is what answers the main tenant now.
func (s *Server) Engine() *score.Engine { return s.main.engine() }

// Refused says why the wanted model of the main tenant is not the one in use; "" = it is.
func (s *Server) Refused() string { return s.main.champion.refused() }

// routes are what callers may ask.
func (s *Server) routes() (http.Handler, error) {
	g, err := s.engineOf()
	if err != nil {
		return nil, err
	}
	g.GET("/metrics", gin.WrapH(s.metrics.handler()))
	if err := s.describe(g); err != nil {
		return nil, err
	}
	return g, s.mountPages(g)
}

// engineOf puts routes to be behind the middlewares.
func (s *Server) engineOf() (*gin.Engine, error) {
	gin.SetMode(gin.ReleaseMode) // gin has it for the whole process only; debug mode prints routes on standard output
	g := gin.New()
	g.HandleMethodNotAllowed = true
	g.RedirectTrailingSlash = false // a POST that is redirected loses its body
	if err := g.SetTrustedProxies(s.cfg.Proxies); err != nil {
		return nil, fmt.Errorf("api: trusted proxies: %w", err)
	}
	g.Use(s.observe, s.recovered, s.limit, s.authorize)
	g.NoMethod(func(c *gin.Context) { s.fail(c, problem(WrongMethod, "")) })
	return g, nil
}
