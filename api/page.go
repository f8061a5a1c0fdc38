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

// mountPages serves people. Every other path is a problem for programs, and a
// page for whoever asks for one.
func (s *Server) mountPages(g *gin.Engine) error {
	h, err := pages.New(pages.Source{
		Models:  func() ([]models.Entry, error) { entries, _, err := s.shelf.list(); return entries, err },
		Aliases: func() (models.Aliases, error) { return s.parts.Registry.Aliases() },
		InUse:   func() models.ID { return s.champion.modelID() },
		Report:  s.nights.last,
		Decide: func(ctx context.Context, body []byte) (score.Decision, []data.Fault, error) {
			d, faults, err := s.Decide(body)
			if err == nil && faults == nil {
				s.metrics.answered("page", &d)
			}
			return d, faults, err
		},
		Policy:     func() *score.Policy { return s.parts.Policy },
		Now:        func() data.Micros { return data.MicrosOf(s.parts.Now()) },
		Promotions: func() ([]models.Promotion, error) { return s.parts.Registry.Promotions() },
		Failed: func(r *http.Request, err error) {
			s.parts.Log.Error("internal error", "request_id", requestID(r.Context()), "cause", err.Error())
		},
	})
	if err != nil {
		return err
	}
	page := gin.WrapH(h)
	for _, path := range []string{"/", "/report", "/reasons", "/reasons/*name", "/try", "/static/*file"} {
		g.GET(path, page)
		g.HEAD(path, page)
	}
	g.POST("/try", page)
	g.NoRoute(func(c *gin.Context) {
		if c.Request.Method == http.MethodGet && strings.Contains(c.GetHeader("Accept"), "text/html") && !strings.HasPrefix(c.Request.URL.Path, "/v1/") {
			page(c)
			return
		}
		s.fail(c, problem(NotFound, ""))
	})
	return nil
}
