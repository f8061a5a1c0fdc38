package api

import (
	"net/http"

	"github.com/gin-gonic/gin"
)

// index is what a person sees where no pages are built in.
const index = `recoup: P(recover | state, action, time) of failed recurring payments, and what each action is worth.

POST /v1/score      candidates with P, uplift and expected value
POST /v1/decide     the same, and the one chosen
GET  /v1/models     GET /v1/reasons     GET /livez     GET /readyz     GET /metrics
GET  /openapi.json  the description, with a request that works
`

// mountPages serves people.
func (s *Server) mountPages(g *gin.Engine) {
	if s.parts.Pages == nil {
		g.GET("/", func(c *gin.Context) { c.Data(http.StatusOK, "text/plain; charset=utf-8", []byte(index)) })
		return
	}
	pages := gin.WrapH(s.parts.Pages)
	for _, path := range []string{"/", "/report", "/reasons", "/reasons/*name", "/try", "/static/*file"} {
		g.GET(path, pages)
	}
	g.POST("/try", pages)
}
