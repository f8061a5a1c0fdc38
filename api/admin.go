package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"
	"github.com/gin-gonic/gin"

	"recoup/models"
)

// Registered is the answer of the admin routes about models.
type Registered struct {
	RequestID  string          `json:"request_id"`
	InUse      *string         `json:"in_use" doc:"Id of the model that answers now; null = the rules arm answers"`
	Kind       *string         `json:"kind" doc:"What its attempt model is made of: logistic regression or LightGBM"`
	Refused    *string         `json:"refused" doc:"Why the champion is not in use; null = it is"`
	Aliases    AliasList       `json:"aliases"`
	Promotions []PromotionLine `json:"promotions" nullable:"false" doc:"Oldest first"`
}

// PromotionLine is a line of the promotion log: a model went from one part to another.
type PromotionLine struct {
	AsOf     string  `json:"as_of" format:"date-time" doc:"As who promoted it stated it"`
	ModelID  string  `json:"model_id"`
	From     string  `json:"from" doc:"challenger, previous, or empty: registered only"`
	To       string  `json:"to"`
	Replaced *string `json:"replaced" doc:"The model that left that part; null = none"`
	Why      string  `json:"why"`
}

type promoteInput struct {
	Body struct {
		Model string `json:"model" minLength:"1" maxLength:"64" doc:"Id, the first digits of it, challenger or previous"`
		Why   string `json:"why" minLength:"1" maxLength:"500" doc:"For the promotion log"`
	}
}

type rollbackInput struct {
	Body struct {
		Why string `json:"why" minLength:"1" maxLength:"500" doc:"For the promotion log"`
	}
}

// adminRoutes are what the admin listener serves: each about the tenant of the key.
func (s *Server) adminRoutes() (http.Handler, error) {
	g, err := s.engineOf()
	if err != nil {
		return nil, err
	}
	g.NoRoute(func(c *gin.Context) { s.fail(c, problem(NotFound, "")) })
	g.GET("/metrics", gin.WrapH(s.metrics.handler()))
	api := humagin.NewWithGroup(g, g.Group("", s.query, s.jsonBody), s.humaConfig("recoup admin", "Keeps house. Served on the address of recoup serve --admin, to keys with the scope admin."))
	s.routeHealth(api)
	s.routeRegistry(api)
	s.routeKeeping(api)
	spec, err := described(api.OpenAPI())
	if err != nil {
		return nil, err
	}
	g.GET("/openapi.json", func(c *gin.Context) { c.Data(http.StatusOK, "application/json", spec) })
	return g, nil
}

func (s *Server) routeRegistry(api huma.API) {
	huma.Register(api, operation(http.MethodGet, "/admin/models", "admin-models", "The promotion log", "", BadQuery, Busy),
		func(ctx context.Context, _ *struct{}) (*struct{ Body Registered }, error) { return s.registered(ctx) })
	promote := checked(operation(http.MethodPost, "/admin/models/promote", "admin-promote", "Make a model the champion",
		"It answers within a moment; one that cannot be verified does not, and the old one stays.", adminCodes()...))
	huma.Register(api, promote, func(ctx context.Context, in *promoteInput) (*struct{ Body Registered }, error) {
		return s.rearrange(ctx, func(r *models.Registry, at string) error {
			b, err := r.Load(in.Body.Model)
			if err != nil {
				return err
			}
			return r.Promote(b.ID, in.Body.Why, at)
		})
	})
	rollback := checked(operation(http.MethodPost, "/admin/models/rollback", "admin-rollback", "Give the part of champion back to the previous model", "", adminCodes()...))
	huma.Register(api, rollback, func(ctx context.Context, in *rollbackInput) (*struct{ Body Registered }, error) {
		return s.rearrange(ctx, func(r *models.Registry, at string) error { return r.Rollback(in.Body.Why, at) })
	})
}

// adminCodes are the problems of an admin route that changes something.
func adminCodes() []Code {
	return []Code{NotJSON, BodyTimeout, TooLarge, WrongType, BadQuery, Invalid, Impossible, ReadOnly, Busy, DeadlineExceeds}
}

// checked lets huma validate the body by its type.
func checked(op huma.Operation) huma.Operation {
	op.SkipValidateBody = false
	return op
}

// rearrange changes the tenant's aliases and lets the server follow at once.
func (s *Server) rearrange(ctx context.Context, change func(r *models.Registry, at string) error) (*struct{ Body Registered }, error) {
	if s.parts.ReadOnly {
		return nil, problem(ReadOnly, "")
	}
	t := tenantOf(ctx)
	err := change(t.registry, s.now(t).Time().UTC().Format(time.RFC3339))
	if err != nil {
		return nil, impossible(err)
	}
	t.champion.look()
	return s.registered(ctx)
}

func (s *Server) registered(ctx context.Context) (*struct{ Body Registered }, error) {
	t := tenantOf(ctx)
	aliases, err := t.registry.Aliases()
	if err != nil {
		return nil, err
	}
	log, err := t.registry.Promotions()
	if err != nil {
		return nil, err
	}
	out := Registered{RequestID: requestID(ctx), InUse: text(t.champion.modelID()), Kind: orNull(string(t.champion.kind())), Refused: orNull(t.champion.refused()),
		Aliases: AliasList{text(aliases.Champion), text(aliases.Challenger), text(aliases.Previous)}, Promotions: []PromotionLine{}}
	for _, p := range log {
		out.Promotions = append(out.Promotions, PromotionLine{AsOf: p.AsOf, ModelID: string(p.ID), From: p.From, To: p.To, Replaced: text(p.Replaced), Why: p.Why})
	}
	return &struct{ Body Registered }{out}, nil
}
