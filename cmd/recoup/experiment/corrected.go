package experiment

import (
	"recoup/cmd/recoup/corrected"
	"recoup/data"
	"recoup/data/sim"
	"recoup/features"
	"recoup/score"
)

// correctedModel retries where the model does; when is drawn among all slots by a logistic
// bandit that begins as the model. A trial succeeds as the other bandit's does.
func correctedModel(horizon data.Micros) (alive, error) {
	b, err := corrected.New(salt)
	if err != nil {
		return alive{}, err
	}
	choose := func(_ *features.State, t *sim.Turn, d *score.Decision) (int, error) {
		if d.Allowed[d.Chosen].Action != data.Retry {
			return d.Chosen, nil
		}
		var index []int
		var slots []corrected.Slot
		for i, c := range d.Allowed {
			if c.Action == data.Retry {
				index, slots = append(index, i), append(slots, corrected.Slot{At: c.At, Expects: paidInTheEnd(c, d.Amount)})
			}
		}
		k, _, err := b.Draw(t.DecisionID, t.Now, d.Class, slots)
		if err != nil {
			return 0, err
		}
		return index[k], b.Plan(trialOf(t.CaseID, t.AttemptNo), t.FirstFailedAt+horizon)
	}
	return alive{choose, func(row any) { whenPaid(row, b.Succeed) }}, nil
}

// paidInTheEnd is the chance, as the model expects it, that the case is paid if the
// candidate is taken, with the attempts that can follow; 0 where no model spoke.
func paidInTheEnd(c score.Choice, amount data.Paise) float64 {
	if c.P == nil || c.EV == nil {
		return 0
	}
	return *c.P - *c.Uplift + float64(*c.EV+c.Cost)/float64(amount)
}
