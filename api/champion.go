package api

import (
	"fmt"
	"log/slog"
	"math"
	"sync"
	"sync/atomic"

	"recoup/data"
	"recoup/models"
	"recoup/score"
)

// champion holds the engine that answers, and follows the registry: a request
// takes the engine once and keeps it, a promotion puts another in its place.
type champion struct {
	tenant   string
	registry *models.Registry
	name     string // the alias or id that is followed
	policy   *score.Policy
	explorer score.Explorer                         // not asked where the policy does not divide its cases
	draw     func() (score.Proposal, string, error) // what the explorer is to draw by; nil = as the policy says
	metrics  *metrics
	log      *slog.Logger

	looking sync.Mutex
	engine  atomic.Pointer[score.Engine] // never nil after first
	drawn   atomic.Pointer[string]       // the formula's name that draw gave for the engine; nil = not asked
	fault   atomic.Pointer[string]       // why the wanted model is not the one in use; nil = it is
}

// first finds the engine to begin with. An empty registry is no fault: the
// rules arm answers until a model is promoted. Nor does a model that cannot be
// used stop the server: it says so and is not ready until it is replaced.
func (c *champion) first() error {
	if err := c.ask(); err != nil {
		return err
	}
	rules, err := c.decider(nil)
	if err != nil {
		return fmt.Errorf("api: policy: %w", err)
	}
	c.engine.Store(rules)
	c.note()
	if c.name != models.Champion {
		if _, err := c.registry.Resolve(c.name); err != nil {
			return err // a model asked for by name must be there
		}
	}
	c.look()
	return nil
}

// decider makes an engine of the policy and a model, which draws where the policy
// divides the cases over arms.
func (c *champion) decider(b *models.Bundle) (*score.Engine, error) {
	e, err := score.New(c.policy, b)
	if err != nil || !c.policy.Divides() {
		return e, err
	}
	return e.Explore(c.explorer)
}

// ask takes what the explorer is to draw by from now on.
func (c *champion) ask() (err error) {
	if c.draw != nil {
		c.explorer.Proposal, c.explorer.Formula, err = c.draw()
	}
	return err
}

// note keeps the formula's name for those who ask while another is looked for.
func (c *champion) note() {
	if c.draw != nil {
		formula := c.explorer.Formula
		c.drawn.Store(&formula)
	}
}

// redraw lets the explorer draw by what it should draw by now. The model in use stays,
// and where it cannot be had, so does what was drawn by: neither waits for the other.
func (c *champion) redraw() error {
	if c.draw == nil {
		return nil
	}
	c.looking.Lock()
	defer c.looking.Unlock()
	was := c.explorer
	err := c.ask()
	if err == nil && c.explorer.Formula != was.Formula {
		var e *score.Engine
		if e, err = c.decider(c.engine.Load().Model()); err == nil {
			c.engine.Store(e)
			c.note()
			c.log.Info("explorer in use", "tenant", c.tenant, "formula", c.explorer.Formula)
		}
	}
	if err != nil {
		c.explorer = was
	}
	return err
}

// look puts the wanted model in place unless it is there already. A model that
// cannot be used is counted, and logged when it is news; the old one stays.
func (c *champion) look() {
	c.looking.Lock()
	defer c.looking.Unlock()
	swapped, err := c.swap()
	switch {
	case err != nil:
		c.metrics.swapFailures.Inc()
		if old := c.fault.Load(); old == nil || *old != err.Error() {
			c.log.Error("model refused, the one in use stays", "tenant", c.tenant, "model_id", c.modelID(), "cause", err.Error())
		}
		text := err.Error()
		c.fault.Store(&text)
	case swapped:
		c.fault.Store(nil)
		c.metrics.swaps.Inc()
		c.log.Info("model in use", "tenant", c.tenant, "model_id", c.modelID(), "model_kind", c.kind())
	default:
		c.fault.Store(nil)
	}
}

// swap loads and verifies the wanted model and lets it take over.
func (c *champion) swap() (bool, error) {
	id, err := c.wanted()
	if err != nil {
		return false, err
	}
	if id == c.modelID() {
		return false, nil
	}
	if id == "" {
		return false, data.Faultf(data.ErrContract, "api: the registry names no %s any more", c.name)
	}
	bundle, err := models.LoadFolder(c.registry.Path(id))
	if err != nil {
		return false, err
	}
	engine, err := c.decider(bundle)
	if err != nil {
		return false, err
	}
	if err := golden(engine); err != nil {
		return false, err
	}
	c.engine.Store(engine)
	return true, nil
}

// wanted is the model that should answer; "" = none has been promoted yet.
func (c *champion) wanted() (models.ID, error) {
	if c.name != models.Champion {
		return c.registry.Resolve(c.name)
	}
	a, err := c.registry.Aliases()
	return a.Champion, err
}

// modelID is the model in use; "" = none.
func (c *champion) modelID() models.ID {
	if b := c.engine.Load().Model(); b != nil {
		return b.ID
	}
	return ""
}

// kind is what the model in use is made of; "" = there is none.
func (c *champion) kind() models.Kind {
	if b := c.engine.Load().Model(); b != nil {
		return b.Kind()
	}
	return ""
}

// refused says why the wanted model is not the one in use; "" = it is.
func (c *champion) refused() string {
	if fault := c.fault.Load(); fault != nil {
		return *fault
	}
	return ""
}

// goldenDrift is how far a probability may lie from the golden one: math.Exp
// differs in its last bit between processors.
const goldenDrift = 1e-14

// golden asks an engine's model for its golden rows again, by the functions
// that answer requests.
func golden(e *score.Engine) error {
	b := e.Model()
	if b == nil {
		return nil
	}
	for _, part := range []struct {
		name string
		ask  func([]float64) (float64, error)
		rows []models.GoldenRow
	}{{"attempt", b.Capture, b.Golden.Attempt}, {"cure", b.Hazard, b.Golden.Cure}} {
		for i, want := range part.rows {
			p, err := part.ask(want.Row)
			if err != nil {
				return data.Faultf(data.ErrUnsafe, "api: model %s: %s golden row %d: %w", b.ID, part.name, i, err)
			}
			if !(math.Abs(p-want.P) <= goldenDrift) {
				return data.Faultf(data.ErrUnsafe, "api: model %s: %s golden row %d: p %v, when it was fitted %v", b.ID, part.name, i, p, want.P)
			}
		}
	}
	return nil
}
