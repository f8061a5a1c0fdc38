package compare

import (
	"recoup/data"
	"recoup/data/sim"
	"recoup/features"
	"recoup/score"
)

// The hands, in the order of the tables.
const (
	Ladder    = "ladder"      // a day after each failure
	Rules     = "rules"       // the rules arm: the common pay days, written by hand
	Tuned     = "tuned rules" // the best of a 6 h grid over 14 days, by class, part of the pay cycle and attempt
	OwnDay    = "own pay day" // the tuned rules, but on the customer's own pay day where it is known: the best that hands can do
	Anew      = "rules anew"  // the grid of the tuned rules, tuned again in a world that has moved as far
	Flat      = "flat bandit" // Beta-Bernoulli, many contexts, Beta(1,1) in each
	Calendar  = "calendar bandit"
	Cold      = "cold bandit" // as Bandit, but knows nothing from the world before
	Bandit    = "bandit"      // Beta-Bernoulli over tuned rules and own pay day, cells share strength
	LogisticT = "logistic bandit"
	Model     = "model"  // the highest expected value
	Oracle    = "oracle" // the highest true chance
)

// Hands lists them.
func Hands() []string {
	return []string{Ladder, Rules, Tuned, OwnDay, Anew, Flat, Calendar, Cold, Bandit, LogisticT, Model, Oracle}
}

// scene is a moment at which a hand must choose among retries.
type scene struct {
	turn     *sim.Turn
	d        *score.Decision
	attempts int   // retries that a hand may use on a case
	retries  []int // of d.Allowed, by time; at least one
	state    *features.State
	ruled    int // of retries: what the rules arm takes; -1 = it takes none
}

// at is the time of a retry.
func (s *scene) at(i int) data.Micros { return s.d.Allowed[s.retries[i]].At }

// from is the first retry at or after a time, or the last one.
func (s *scene) from(t data.Micros) int {
	for i := range s.retries {
		if s.at(i) >= t {
			return i
		}
	}
	return len(s.retries) - 1
}

// nearest is the retry nearest to a time, the earlier of two.
func (s *scene) nearest(t data.Micros) int {
	best := 0
	for i := range s.retries {
		if gap(s.at(i), t) < gap(s.at(best), t) {
			best = i
		}
	}
	return best
}

func gap(a, b data.Micros) data.Micros { return max(a-b, b-a) }

// hand chooses when. It is for one world.
type hand struct {
	name string
	pick func(s *scene) (int, error)      // index into s.retries; -1 = as the rules arm decides
	plan func(s *scene) error             // told that the last pick is taken; nil = does not learn
	seen func(row any)                    // told of every row as it becomes known; nil
	dawn func(midnight data.Micros) error // before the first decision of a day in India; nil
}

// truest is the oracle: the first of the best sequence of attempts.
func truest(s *scene) (int, error) {
	best, values := 0, s.values()
	for i, v := range values {
		if v > values[best] {
			best = i
		}
	}
	return best, nil
}

// values is, for each retry, the true chance that it or the best of those that can
// still follow it captures. Between two attempts lie the answer to the first and the
// notice of the second.
func (s *scene) values() []float64 {
	n := len(s.retries)
	chance := make([]float64, n)
	for i := range chance {
		chance[i] = s.turn.Truth(data.Retry, s.at(i))
	}
	value, next := make([]float64, n), make([]float64, n)
	for range s.attempts + 1 - s.turn.AttemptNo {
		copy(next, value)
		best, k := 0.0, n // of next[k:]
		for i := n - 1; i >= 0; i-- {
			for k > 0 && s.at(k-1) >= s.at(i)+s.rest() {
				k--
				best = max(best, next[k])
			}
			value[i] = chance[i] + float64((1-chance[i])*best)
		}
	}
	return value
}

// rest is how long after an attempt the next one can follow.
func (s *scene) rest() data.Micros { return rest(s.turn) }

func rest(t *sim.Turn) data.Micros {
	if t.Rail == data.EMandate {
		return t.NoticeFloor() + 2*data.Hour + 4*data.Day // the bank answers on the next day or the one after
	}
	return t.NoticeFloor() + 2*data.Hour
}

// byLadder is a day after the failure.
func byLadder(s *scene) (int, error) { return s.from(s.turn.FailedAt + data.Day), nil }

// dearest is the model: the highest expected value among the retries.
func dearest(e *score.Engine) func(*scene) (int, error) {
	return func(s *scene) (int, error) {
		values, err := ask(e, s)
		if err != nil {
			return 0, err
		}
		best := max(0, s.ruled)
		for i, v := range values {
			if s.worth(v) > s.worth(values[best]) {
				best = i
			}
		}
		return best, nil
	}
}

// worth is the chance that the case is paid in the end if the slot is taken, as a model
// expects it, with the attempts that can follow; 0 where no model answered.
func (s *scene) worth(c score.Choice) float64 {
	switch {
	case c.P == nil || c.EV == nil:
		return 0
	case s.attempts == 1:
		return *c.P
	}
	return *c.P - *c.Uplift + float64(*c.EV+c.Cost)/float64(s.d.Amount)
}

// ask has a model's engine value the retries: its candidates are the same, for the
// gate is the same.
func ask(e *score.Engine, s *scene) ([]score.Choice, error) {
	d, err := e.DecideAs(score.Ask{DecisionID: s.turn.DecisionID}, s.state, s.turn.CaseID, s.turn.Now)
	if err != nil {
		return nil, err
	}
	out := make([]score.Choice, len(s.retries))
	for i, k := range s.retries {
		want := s.d.Allowed[k]
		out[i] = want
		for _, c := range d.Allowed {
			if c.Action == want.Action && c.At == want.At {
				out[i] = c
				break
			}
		}
	}
	return out, nil
}
