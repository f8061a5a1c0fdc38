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
	ModelID *string  `json:"model_id" doc:"In use by the main tenant; null = none"`
	Arm     armWord  `json:"arm" doc:"Who answers the main tenant: model, or rules while there is no model"`
	Ledger  bool     `json:"ledger" doc:"What is decided and told is recorded"`
	Replay  bool     `json:"replay" doc:"The clock is that of the rows: for tests and tours, not for production"`
	Only    bool     `json:"read_only" doc:"Nothing is recorded"`
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
		"Asks the model's golden rows again. 503 while the wanted model cannot be used, while the ledger cannot be read or written, and while the server drains. Without a model it is ready: the rules arm answers.")
	op.Responses["503"] = &huma.Response{Description: "Not ready",
		Content: map[string]*huma.MediaType{"application/json": {Schema: &huma.Schema{Ref: "#/components/schemas/Ready"}}}}
	huma.Register(api, op, func(context.Context, *struct{}) (*readyOutput, error) { return s.ready(), nil })
}

func (s *Server) ready() *readyOutput {
	out := &readyOutput{Status: http.StatusOK, Body: Ready{Reasons: []string{}, Arm: "rules",
		Ledger: s.parts.Ledger != nil, Replay: s.parts.Replay, Only: s.parts.ReadOnly}}
	if b := s.Engine().Model(); b != nil {
		out.Body.Arm = "model"
		out.Body.ModelID = text(b.ID)
	}
	if s.draining.Load() {
		out.Body.Reasons = append(out.Body.Reasons, "draining")
	}
	for _, told := range s.parts.Tenants {
		out.Body.Reasons = append(out.Body.Reasons, s.unready(s.tenants[told.Name])...)
	}
	if len(out.Body.Reasons) > 0 {
		out.Status = http.StatusServiceUnavailable
	}
	out.Body.Ready = out.Status == http.StatusOK
	return out
}

// unready says why a tenant should not be sent requests. Its name is no secret of
// the answer: the log has it.
func (s *Server) unready(t *tenant) (reasons []string) {
	engine := t.engine()
	if t.champion.refused() != "" && engine.Model() == nil {
		reasons = append(reasons, "the promoted model cannot be used; the log says why")
	}
	if t.away.Load() {
		reasons = append(reasons, "the ledger cannot be read or written; the log says why")
	}
	if err := golden(engine); err != nil {
		reasons = append(reasons, "golden rows: the model answers otherwise than when it was fitted; the log says how")
		s.parts.Log.Error("golden rows", "tenant", t.name, "cause", err.Error())
	}
	return reasons
}

func text(id models.ID) *string {
	if id == "" {
		return nil
	}
	s := string(id)
	return &s
}
