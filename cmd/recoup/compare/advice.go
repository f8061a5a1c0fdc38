package compare

import (
	"fmt"

	"recoup/data"
	"recoup/features"
	"recoup/ope/bandit"
)

// adviser knows two timings of hand rules: those tuned in the world before, and the
// same but on the customer's own pay day where his payments have shown it.
type adviser struct {
	tuned           func(*scene) (int, error)
	evidence, since int // columns of an attempt row: how sure the own pay day is, and how many days a slot is after it
}

func newAdviser(grid map[string]int) (*adviser, error) {
	s := features.AttemptSchema()
	a := &adviser{byGrid(grid), s.Index("cust_payday_evidence"), s.Index("cand_payday_since")}
	if a.evidence < 0 || a.since < 0 {
		return nil, fmt.Errorf("compare: the attempt schema has no learned pay day any more")
	}
	return a, nil
}

// rules is the slot of the tuned rules; where they take none, the first.
func (a *adviser) rules(s *scene) (int, error) {
	i, err := a.tuned(s)
	return max(0, i), err
}

// own is the first slot after noon of the own pay day, when pay is in, or else of the day
// after; -1 = none is known, no slot lies there, or the case lacks no money.
func (a *adviser) own(s *scene) (int, error) {
	if s.d.Class != data.RetryScheduled {
		return -1, nil
	}
	past, err := s.state.Past(s.turn.CaseID, s.turn.Now)
	if err != nil {
		return -1, err
	}
	rows := past.Rows()
	var row []float64
	for i := range s.retries {
		at := s.at(i)
		if row, err = rows.Attempt(row[:0], data.Candidate{Action: data.Retry, At: at}); err != nil {
			return -1, err
		}
		if row[a.evidence] > 0 && (row[a.since] == 0 && at.ISTTimeOfDay() >= data.Day/2 || row[a.since] == 1) {
			return i, nil
		}
	}
	return -1, nil
}

// onOwnDay is the hand that takes the own pay day where there is one.
func (a *adviser) onOwnDay(s *scene) (int, error) {
	if i, err := a.own(s); err != nil || i >= 0 {
		return i, err
	}
	return a.tuned(s)
}

// near is how far apart two slots are that say the same.
const near = 12 * data.Hour

// both are the slots of the two timings; the second is -1 where it says the same.
func (a *adviser) both(s *scene) ([]int, error) {
	rules, err := a.rules(s)
	if err != nil {
		return nil, err
	}
	own, err := a.own(s)
	if own >= 0 && gap(s.at(own), s.at(rules)) <= near {
		own = -1
	}
	return []int{rules, own}, err
}

// adviceNames are the arms of the bandit over both.
func adviceNames() []string { return []string{Tuned, OwnDay} }

// adviceCell tells cases apart by whether the timings differ, for those who have shown
// a pay day have failed before, and pay less often whatever is chosen.
func adviceCell(s *scene, slots []int) bandit.Cell {
	word := "one"
	if slots[1] >= 0 {
		word = "two"
	}
	return bandit.Cell(fmt.Sprintf("%s/%s/%d/%s", s.d.Class, word, min(s.turn.AttemptNo, 2), s.turn.Rail))
}
