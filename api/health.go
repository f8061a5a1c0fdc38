package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"recoup/models"
)

// Ready is the answer of /readyz.
type Ready struct {
	Ready   bool     `json:"ready"`
	Reasons []string `json:"reasons" nullable:"false" doc:"Why not; empty when ready"`
	ModelID *string  `json:"model_id" doc:"In use; null = none"`
	Arm     armWord  `json:"arm" doc:"Who answers: model, or rules while there is no model"`
}

type readyOutput struct {
	Status int
	Body   Ready
}

type alive struct {
	Alive bool `json:"alive"`
}

func (s *Server) routeHealth(api huma.API) {
	huma.Register(api, operation(http.MethodGet, "/livez", "livez", "Is the process alive?", ""),
		func(context.Context, *struct{}) (*struct{ Body alive }, error) {
			return &struct{ Body alive }{alive{true}}, nil
		})
	op := operation(http.MethodGet, "/readyz", "readyz", "Should it be sent requests?",
		"Asks the model's golden rows again. 503 while the wanted model cannot be used, and while the server drains. Without a model it is ready: the rules arm answers.")
	op.Responses["503"] = &huma.Response{Description: "Not ready",
		Content: map[string]*huma.MediaType{"application/json": {Schema: &huma.Schema{Ref: "#/components/schemas/Ready"}}}}
	huma.Register(api, op, func(context.Context, *struct{}) (*readyOutput, error) { return s.ready(), nil })
}

func (s *Server) ready() *readyOutput {
	engine := s.Engine()
	out := &readyOutput{Status: http.StatusOK, Body: Ready{Reasons: []string{}, Arm: "rules"}}
	if b := engine.Model(); b != nil {
		out.Body.Arm = "model"
		out.Body.ModelID = text(b.ID)
	}
	if s.draining.Load() {
		out.Body.Reasons = append(out.Body.Reasons, "draining")
	}
	if s.Refused() != "" && engine.Model() == nil {
		out.Body.Reasons = append(out.Body.Reasons, "the promoted model cannot be used; the log says why")
	}
	if err := golden(engine); err != nil {
		out.Body.Reasons = append(out.Body.Reasons, "golden rows: the model answers otherwise than when it was fitted; the log says how")
		s.parts.Log.Error("golden rows", "cause", err.Error())
	}
	if len(out.Body.Reasons) > 0 {
		out.Status = http.StatusServiceUnavailable
	}
	out.Body.Ready = out.Status == http.StatusOK
	return out
}

func text(id models.ID) *string {
	if id == "" {
		return nil
	}
	s := string(id)
	return &s
}
