package score

import (
	"errors"

	"recoup/data"
	"recoup/features"
	"recoup/models"
)

// Engine decides. It is not changed after New and safe for concurrent use.
type Engine struct {
	policy *Policy
	bundle *models.Bundle
}

// New makes an engine of a policy and a model; with a nil bundle the rules arm
// answers. A bundle of another feature schema is refused.
func New(p *Policy, b *models.Bundle) (*Engine, error) { return &Engine{p, b}, nil }

// Decide chooses for a case of the state. t is the decision time, not before
// the state's as_of.
func (e *Engine) Decide(s *features.State, caseID string, t data.Micros) (Decision, error) {
	return Decision{}, errors.New("score: not built")
}

// Answer decides for a request of its own: its events are all that is known.
func (e *Engine) Answer(r *Request) (Decision, error) {
	return Decision{}, errors.New("score: not built")
}

// Policy is the policy the engine decides by.
func (e *Engine) Policy() *Policy { return e.policy }

// Model is the model the engine asks; nil = the rules arm answers.
func (e *Engine) Model() *models.Bundle { return e.bundle }
