package score

import (
	"fmt"
	"strings"

	"recoup/data"
)

// A decision is settled when it is known which arm takes what. Every arm's choice
// among the allowed candidates is worked out, whichever arm the case is in: the
// mixed probabilities need them all.

// Why another arm answers than the one that the case was given.
const (
	FallbackModel    = "model"    // no model could answer
	FallbackProposal = "proposal" // the explorer's proposal failed
	FallbackBudget   = "budget"   // the explorer's day is spent
	FallbackOff      = "off"      // the explorer is switched off
)

// settle chooses. Settling again after candidates were taken away is allowed.
func (e *Engine) settle(d *Decision, s *situation, spent Spent) error {
	for i := range d.Allowed {
		d.Allowed[i].Propensity, d.Allowed[i].Mix = 0, 0
	}
	x := e.dealer
	d.Assigned, d.ArmShare, d.Fallback, d.Monitored = e.alone(), 1, "", false
	if x != nil {
		d.Assigned = x.armOf(d.CaseID)
		d.ArmShare = share1000(x.shares[d.Assigned])
	}
	i := s.demanded(d)
	if !s.Owed {
		i = find(d.Allowed, data.Wait, s.t)
	}
	if i >= 0 { // whatever the arm
		d.Arm, d.Chosen, d.Decided = data.ArmRules, i, i
		d.Allowed[i].Propensity, d.Allowed[i].Mix = 1, 1
		return e.finish(d)
	}
	for arm := data.ArmRules; arm <= data.ArmControl; arm++ {
		w := e.shareOf(arm)
		if w == 0 {
			continue
		}
		if err := e.play(d, s, arm, w, spent); err != nil {
			return err
		}
	}
	d.Monitored = d.Arm == data.ArmExplorer && x.mode == ExplorerMonitor
	if d.Monitored {
		d.Chosen = find(d.Allowed, data.Wait, s.t)
	}
	return e.finish(d)
}

// alone is the arm of every case where nothing divides them.
func (e *Engine) alone() data.Arm {
	if e.bundle == nil {
		return data.ArmRules
	}
	return data.ArmModel
}

// shareOf is the probability of an arm.
func (e *Engine) shareOf(arm data.Arm) float64 {
	switch {
	case e.dealer != nil:
		return share1000(e.dealer.shares[arm])
	case arm == e.alone():
		return 1
	}
	return 0
}

func share1000(n int64) float64 { return float64(n) / wholeShare }

// play adds what an arm does to the mixed probabilities; the case's own arm
// decides.
func (e *Engine) play(d *Decision, s *situation, arm data.Arm, w float64, spent Spent) error {
	own, answers, fallback := arm == d.Assigned, arm, ""
	if arm == data.ArmExplorer {
		x := e.dealer
		switch {
		case x.mode == ExplorerOff:
			fallback = FallbackOff
		case x.spent(spent, d.Amount):
			fallback = FallbackBudget
		}
		if fallback == "" {
			p, err := x.distribution(d)
			if err == nil {
				for i, q := range p {
					d.Allowed[i].Mix += float64(w * q)
				}
				if own {
					d.Arm, d.Fallback = arm, ""
					for i, q := range p {
						d.Allowed[i].Propensity = q
					}
					d.Chosen = x.draw(d.ID, p)
					d.Decided = d.Chosen
				}
				return nil
			}
			if fallback = FallbackProposal; own {
				d.Warnings = append(d.Warnings, "the explorer cannot draw, so the rules arm answers: "+err.Error())
			}
		}
	}
	i := -1
	switch {
	case arm == data.ArmControl:
		i = s.byLadder(d.Allowed)
	case arm == data.ArmModel && !d.unanswered:
		if i = byValue(d.Allowed); i < 0 {
			return fmt.Errorf("score: case %s: no candidate has a value", d.CaseID)
		}
	case arm == data.ArmModel:
		fallback = FallbackModel
	}
	if i < 0 {
		answers, i = data.ArmRules, s.byRules(d.Allowed)
	}
	d.Allowed[i].Mix += w
	if own {
		d.Arm, d.Fallback, d.Chosen, d.Decided = answers, fallback, i, i
		d.Allowed[i].Propensity = 1
	}
	return nil
}

// finish fills in what follows from the choice, and holds the probabilities to
// what they promise.
func (e *Engine) finish(d *Decision) error {
	d.Logger = e.logger(d)
	d.rank()
	d.hashRow()
	var given, mixed float64
	for i := range d.Allowed {
		given += d.Allowed[i].Propensity
		mixed += d.Allowed[i].Mix
	}
	const most = 1e-12
	if c := &d.Allowed[d.Decided]; abs(given-1) > most || abs(mixed-1) > most || !(c.Propensity > 0 && c.Mix > 0) {
		return fmt.Errorf("score: case %s: probabilities sum to %v, over the arms to %v", d.CaseID, given, mixed)
	}
	return nil
}

func abs(x float64) float64 { return max(x, -x) }

// logger names who decided: policy, formula and salt, the arm that the case was
// given, and what keeps the decision out of training and judging.
func (e *Engine) logger(d *Decision) string {
	parts := []string{d.PolicyID, "undivided"}
	if x := e.dealer; x != nil {
		parts = []string{d.PolicyID, x.formula, "salt " + x.saltID}
	}
	parts = append(parts, d.Assigned.String())
	if d.Fallback != "" {
		parts = append(parts, "fallback "+d.Fallback)
	}
	if d.Monitored {
		parts = append(parts, "monitored")
	}
	return strings.Join(parts, "/")
}
