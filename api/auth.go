package api

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"
)

// Scope is what a key may do.
type Scope uint8

// The scopes.
const (
	ScoreScope    Scope = iota + 1 // ask: scores, decisions, lists of what is to be done
	OutcomesScope                  // tell: events, outcomes, promises, results
	AdminScope                     // keep house: metrics, models, checkpoints, exports
)

var scopeNames = [...]string{ScoreScope: "score", OutcomesScope: "outcomes", AdminScope: "admin"}

func (s Scope) String() string {
	if s == 0 || int(s) >= len(scopeNames) {
		return ""
	}
	return scopeNames[s]
}

// ParseScope reads a scope's name.
func ParseScope(name string) (Scope, error) {
	for s := ScoreScope; s <= AdminScope; s++ {
		if s.String() == name {
			return s, nil
		}
	}
	return 0, fmt.Errorf("scope %q: expected %s", name, strings.Join(scopeNames[1:], ", "))
}

// needs says what a route asks of a key; open = nothing. A route that it does not
// know is open to nobody, see forgotten.
func needs(method, route string) (scope Scope, open bool) {
	switch route {
	case "/livez", "/readyz", "/openapi.json", "/static/*file":
		return 0, true
	case "/v1/webhooks/razorpay": // its signature says who sent it
		return 0, true
	case "/v1/events", "/v1/outcomes", "/v1/promises":
		return OutcomesScope, false
	case "/metrics":
		return AdminScope, false
	}
	switch {
	case strings.HasPrefix(route, "/admin/"):
		return AdminScope, false
	case strings.HasPrefix(route, "/v1/queue") && method == http.MethodPost,
		strings.HasPrefix(route, "/queue") && method == http.MethodPost:
		return OutcomesScope, false
	}
	return ScoreScope, false
}

// authorize lets in who has a key with the route's scope, and notes whose tenant
// the request is about. Without keys everybody is the main tenant's caller.
func (s *Server) authorize(c *gin.Context) {
	route := c.FullPath()
	if route == "" { // no such path or method: nothing to protect
		return
	}
	mine := callOf(c.Request.Context())
	if s.parts.Keys == nil {
		mine.tenant = s.main
		return
	}
	scope, open := needs(c.Request.Method, route)
	if open {
		return
	}
	key, ok := s.parts.Keys.find(sentKey(c.Request, route))
	if !ok {
		c.Header("WWW-Authenticate", `Bearer realm="recoup"`)
		if forPeople(route) {
			c.Writer.Header().Add("WWW-Authenticate", `Basic realm="recoup: any name, and a key as the password"`)
		}
		s.fail(c, s.stranger(NoKey))
		return
	}
	mine.key = key.Name
	if !key.has(scope) {
		s.fail(c, problem(NoScope, "the key "+key.Name+" lacks the scope "+scope.String()))
		return
	}
	if mine.tenant = s.tenants[key.Tenant]; mine.tenant == nil {
		s.fail(c, problem(NoScope, "the server does not know the key's tenant "+key.Tenant+" yet: restart it"))
	} else if route == "/metrics" && mine.tenant != s.main {
		s.fail(c, problem(NoScope, "the metrics tell of all tenants: they are for keys of the tenant "+MainTenant))
	}
}

// sentKey is the key of a request: a bearer's, or on a page the password that the
// browser asked for. A browser sends a password for whatever site asks it to, so the
// routes of programs do not take one.
func sentKey(r *http.Request, route string) string {
	if kind, token, ok := strings.Cut(r.Header.Get("Authorization"), " "); ok && strings.EqualFold(kind, "Bearer") {
		return strings.TrimSpace(token)
	}
	if !forPeople(route) {
		return ""
	}
	_, password, _ := r.BasicAuth()
	return password
}

// forPeople says whether a route is a page, or one that only reads.
func forPeople(route string) bool {
	return !strings.HasPrefix(route, "/v1/") && !strings.HasPrefix(route, "/admin/")
}

// securitySchemes describe how a caller says who it is.
func securitySchemes() map[string]*huma.SecurityScheme {
	return map[string]*huma.SecurityScheme{
		"key":     {Type: "http", Scheme: "bearer", Description: "A key of recoup keys add, with the scope that the operation names"},
		"webhook": {Type: "apiKey", In: "header", Name: "X-Razorpay-Signature", Description: "HMAC-SHA256 of the body as it is, in hex, with a webhook secret of the tenant"},
	}
}
