package api

import (
	"context"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"recoup/api/pages"
	"recoup/data"
	"recoup/models"
	"recoup/score"
)

// mountPages serves people, each of them his tenant's pages. Every other path is a
// problem for programs, and a page for whoever asks for one.
func (s *Server) mountPages(g *gin.Engine) error {
	for _, told := range s.parts.Tenants {
		t := s.tenants[told.Name]
		h, err := pages.New(s.shown(t))
		if err != nil {
			return err
		}
		t.pages = h
	}
	page := func(c *gin.Context) {
		t := tenantOf(c.Request.Context())
		if t == nil { // what is open is the same for all
			t = s.main
		}
		t.pages.ServeHTTP(c.Writer, c.Request)
	}
	for _, path := range []string{"/", "/report", "/ope.html", "/reasons", "/reasons/*name", "/try", "/queue", "/due", "/case", "/chain", "/static/*file"} {
		g.GET(path, page)
		g.HEAD(path, page)
	}
	g.POST("/try", page)
	g.POST("/queue", page)
	g.NoRoute(func(c *gin.Context) {
		if c.Request.Method == http.MethodGet && strings.Contains(c.GetHeader("Accept"), "text/html") && !strings.HasPrefix(c.Request.URL.Path, "/v1/") {
			page(c)
			return
		}
		s.fail(c, problem(NotFound, ""))
	})
	return nil
}

// shown is where a tenant's pages get what they show.
func (s *Server) shown(t *tenant) pages.Source {
	return pages.Source{
		Models:  func() ([]models.Entry, error) { entries, _, err := t.shelf.list(); return entries, err },
		Aliases: func() (models.Aliases, error) { return t.registry.Aliases() },
		InUse:   func() models.ID { return t.champion.modelID() },
		Report:  t.nights.last,
		Valued:  t.nights.valued,
		Decide: func(ctx context.Context, body []byte) (score.Decision, []data.Fault, error) {
			r, faults := score.ParseRequest(body)
			if len(faults) > 0 {
				return score.Decision{}, faults, nil
			}
			d, err := t.engine().Answer(r)
			if err == nil {
				s.metrics.answered("page", &d)
			}
			return d, nil, err
		},
		Present:    s.present(t),
		Policy:     func() *score.Policy { return t.policy },
		Now:        func() data.Micros { return s.now(t) },
		Promotions: func() ([]models.Promotion, error) { return t.registry.Promotions() },
		Failed: func(r *http.Request, err error) {
			s.parts.Log.Error("internal error", "request_id", requestID(r.Context()), "cause", err.Error())
		},
	}
}
