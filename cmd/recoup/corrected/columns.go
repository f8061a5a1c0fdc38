package corrected

import (
	"math"

	"recoup/data"
)

// windows are the last days of parts of the month: between them pay comes, or does not.
var windows = [...]int{3, 6, 9, 12, 16, 20, 24, 27, 31}

// The columns: level, the model's logit, days until the slot, three quarters of the day,
// whether it lies within two days, and the part of the month, alone and for those who are
// out of money.
const (
	firstPart = 7
	width     = firstPart + 2*len(windows)
)

func row(at, now data.Micros, class data.Class, logit float64) []float64 {
	out := make([]float64, width)
	days := float64(at-now) / float64(data.Day)
	out[0], out[1], out[2] = 1, logit/2, days/7
	if quarter := int(at.ISTTimeOfDay() / (6 * data.Hour)); quarter > 0 {
		out[2+quarter] = 1
	}
	if days < 2 {
		out[6] = 1
	}
	out[firstPart+part(at)] = 1
	if class == data.RetryScheduled {
		out[firstPart+len(windows)+part(at)] = 1
	}
	return out
}

// part is the part of the month that a time lies in.
func part(t data.Micros) int {
	_, _, d := t.ISTDate()
	for k, last := range windows {
		if d <= last {
			return k
		}
	}
	return len(windows) - 1
}

// logit of a chance, within what a model may be sure of.
func logit(p float64) float64 {
	p = min(max(p, .01), .99)
	return math.Log(p) - math.Log1p(-p)
}
