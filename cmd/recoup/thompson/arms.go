package thompson

import (
	"fmt"
	"math"

	"recoup/data"
	"recoup/ope/bandit"
)

// windows are the last days of the parts of the month that are arms of their own.
var windows = []int{3, 6, 9, 12, 16, 20, 24, 27, 31}

// others are the actions with one arm each; escalations are not drawn.
var others = []data.Action{data.Wait, data.PaymentLink, data.Nudge}

// armNames are the arms of the Beta bandit: the other actions, a retry within a day of
// the first that is allowed, and a retry in each part of the month.
func armNames() (out []string) {
	for _, a := range others {
		out = append(out, a.String())
	}
	out = append(out, "retry at once")
	from := 1
	for _, to := range windows {
		out = append(out, fmt.Sprintf("retry from %d to %d", from, to))
		from = to + 1
	}
	return out
}

// armOf is the arm of a candidate; first is the first retry that is allowed. -1 = none.
func armOf(a data.Action, at, first data.Micros) int {
	for k, o := range others {
		if a == o {
			return k
		}
	}
	switch {
	case a != data.Retry:
		return -1
	case at < first+data.Day:
		return len(others)
	}
	return len(others) + 1 + window(at)
}

func window(t data.Micros) int {
	_, _, d := t.ISTDate()
	for k, last := range windows {
		if d <= last {
			return k
		}
	}
	return len(windows) - 1
}

// cellOf is the context of the Beta bandit.
func cellOf(c data.Class) bandit.Cell { return bandit.Cell(c.String()) }

// columns of the logistic bandit: level, the model's logit, the action, days until the
// slot, its hour, and the part of the month it lies in.
const columns = 2 + 3 + 2 + 3

func rowOf(a data.Action, at, now data.Micros, p *float64) (row []float64, offset float64) {
	if p != nil { // where no model spoke it is one half
		offset = logit(*p)
	}
	row = make([]float64, columns+len(windows))
	row[0], row[1] = 1, offset/2
	for k, o := range others {
		if a == o {
			row[2+k] = 1
		}
	}
	if a != data.Retry {
		return row, offset
	}
	days := float64(at-now) / float64(data.Day)
	row[5] = days / 7
	if days < 2 {
		row[6] = 1
	}
	if quarter := int(at.ISTTimeOfDay() / (6 * data.Hour)); quarter > 0 {
		row[6+quarter] = 1
	}
	row[columns+window(at)] = 1
	return row, offset
}

// logit of a probability, within what a model may be sure of.
func logit(p float64) float64 {
	p = min(max(p, .001), .999)
	return math.Log(p) - math.Log1p(-p)
}
