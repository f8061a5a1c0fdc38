package doctor

import (
	"math"

	"recoup/data"
	"recoup/features/key"
)

// decisionCensus counts what off-policy evaluation needs of the decisions.
type decisionCensus struct {
	rows       int64
	sumWrong   int64 // propensities do not sum to 1
	chosenZero int64 // what was chosen could not be drawn
	shareWrong int64 // the arm's share is not in (0, 1]
	noOptions  int64
	drawn      int64 // more than one option had a chance
	arms       [8]int64
	loggers    map[string]int64
	matured    key.Map[struct{}] // decisions whose window has closed
	closed     int64
}

// sumTolerance is how far propensities may be from summing to 1.
const sumTolerance = 1e-9

func (e *exam) decision(d *data.Decision) {
	c := &e.decisions
	if c.loggers == nil {
		c.loggers = map[string]int64{}
	}
	c.rows++
	c.arms[d.Arm&7]++
	if len(c.loggers) < 1000 || c.loggers[d.Logger] > 0 {
		c.loggers[d.Logger]++
	}
	if !(d.ArmShare > 0 && d.ArmShare <= 1) {
		c.shareWrong++
	}
	if len(d.Allowed) == 0 || int(d.Chosen) >= len(d.Allowed) || d.Chosen < 0 {
		c.noOptions++
		return
	}
	sum, chances := 0.0, 0
	for i := range d.Allowed {
		sum += d.Allowed[i].Propensity
		if d.Allowed[i].Propensity > 0 {
			chances++
		}
	}
	if !(math.Abs(sum-1) <= sumTolerance) {
		c.sumWrong++
	}
	if !(d.Allowed[d.Chosen].Propensity > 0) {
		c.chosenZero++
	}
	if chances > 1 {
		c.drawn++
	}
}

func (e *exam) outcome(o *data.Outcome) {
	if !o.WindowClosed {
		return
	}
	id := key.Of(o.DecisionID)
	if _, ok := e.decisions.matured.Get(id); !ok {
		e.decisions.matured.Put(id, struct{}{})
		e.decisions.closed++
	}
}
