package train

import (
	"fmt"
	"strings"
	"time"

	"recoup/data"
)

// Part is one of the four stretches of time that a model is made from. Rows
// are put in parts by presentation time, oldest first, never at random: a
// random split would let the model see the month it is judged on.
type Part uint8

// The parts, oldest first.
const (
	ForTrain     Part = iota + 1 // coefficients
	ForSelect                    // the L2 penalty
	ForCalibrate                 // Platt
	ForTest                      // every measure that is reported
)

var partNames = [...]string{"", "train", "select", "calibrate", "test"}

func (p Part) String() string { return partNames[p] }

// MarshalText writes the part's name.
func (p Part) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads the part's name.
func (p *Part) UnmarshalText(b []byte) error {
	for i := 1; i < len(partNames); i++ {
		if partNames[i] == string(b) {
			*p = Part(i)
			return nil
		}
	}
	return fmt.Errorf("train: unknown part %q", b)
}

// Slice is one part: the rows with From <= at < To.
type Slice struct {
	Part      Part        `json:"part"`
	From      data.Micros `json:"from"`
	To        data.Micros `json:"to"`
	Rows      int64       `json:"rows"`      // 0 until counted
	Positives int64       `json:"positives"` // 0 until counted
}

// Holds reports whether a presentation time lies in the slice.
func (s Slice) Holds(at data.Micros) bool { return s.From <= at && at < s.To }

// Slices is how one table is cut. Between two slices lies the embargo, in
// neither: the outcome of the older slice's last row is known before the
// younger slice begins.
type Slices struct {
	WarmUp  data.Micros `json:"warm_up_until"` // rows before it are history for features only; 0 = none
	Embargo data.Micros `json:"embargo_us"`
	Months  int         `json:"months"` // whole months in each of the last three slices; 0: a share of the time
	Slices  [4]Slice    `json:"slices"` // by part
	Outside int64       `json:"rows_outside"`
}

// Of is the slice of a part.
func (s *Slices) Of(p Part) *Slice { return &s.Slices[p-1] }

// Span is what the cuts follow from.
type Span struct {
	First   data.Micros // when the log begins
	Last    data.Micros // the youngest presentation in the table
	AsOf    data.Micros // the build's as_of
	Longest data.Micros // the longest H of any rail in the table
}

// A log over half a year gives its first 60 days to history; one of a year
// (short of it by less than a pay cycle's slack of 5 days) has whole months in
// the three younger slices, so that each has every pay day twice.
const (
	warmUpAfter   = 183 * data.Day
	warmUpFor     = 60 * data.Day
	wholeMonths   = 360 * data.Day
	monthsEach    = 2
	sharePercent  = 15
	minRows       = 500
	minPositives  = 50
	periodEmbargo = data.Day // the label of a person-period row closes one day after it opens
)

// Cut lays the four slices over a span. They end where every rail's window has
// closed (as_of less the longest H), or at the end of the youngest
// presentation's day in India where the log stops sooner. Whole months run from
// a day of the month to the same day of another month, in India, so that an
// embargo can lie between them and each still holds whole pay cycles.
func Cut(s Span) (Slices, error) {
	if s.Longest <= 0 || s.First >= s.AsOf || s.Last < s.First {
		return Slices{}, data.Faultf(data.ErrTooLittle,
			"train: slices: the log begins %s, the youngest row is of %s and as_of is %s: no closed window of %s lies between",
			s.First, s.Last, s.AsOf, span(s.Longest))
	}
	end := min(s.AsOf-s.Longest+1, istMidnight(s.Last)+data.Day)
	out := Slices{Embargo: s.Longest}
	start := s.First
	if s.AsOf-s.First > warmUpAfter {
		start += warmUpFor
		out.WarmUp = start
	}
	back := func(to data.Micros) data.Micros { return to - (end-start)/100*sharePercent }
	if end-s.First >= wholeMonths-s.Longest {
		out.Months = monthsEach
		back = func(to data.Micros) data.Micros { return monthsBefore(to, monthsEach) }
	}
	to := end
	for p := ForTest; p >= ForSelect; p-- {
		from := back(to)
		if out.Months > 0 {
			from = istMidnight(from)
		}
		*out.Of(p) = Slice{Part: p, From: from, To: to}
		to = from - s.Longest
	}
	*out.Of(ForTrain) = Slice{Part: ForTrain, From: start, To: to}
	if to <= start {
		return out, data.Faultf(data.ErrTooLittle, "train: slices: %s from %s to %s leave no time for training beside the select, calibrate and test slices",
			span(end-start), start, end)
	}
	return out, nil
}

// ForPeriods are the same calendar cuts for the person-period table: a row
// belongs to the slice of its day. Its label closes within a day of its own, so
// the embargo between the slices, at least one day, suffices: days of one
// failure may lie in two slices, a label never does.
func (s Slices) ForPeriods() Slices {
	out := s
	out.Embargo = max(s.Embargo, periodEmbargo)
	out.Outside = 0
	for p := ForTrain; p <= ForTest; p++ {
		c := out.Of(p)
		c.Rows, c.Positives = 0, 0
		if p < ForTest {
			c.To = min(c.To, s.Of(p+1).From-out.Embargo)
		}
	}
	return out
}

// Count adds one row to its slice.
func (s *Slices) Count(at data.Micros, y int64) {
	for i := range s.Slices {
		if s.Slices[i].Holds(at) {
			s.Slices[i].Rows++
			s.Slices[i].Positives += y
			return
		}
	}
	s.Outside++
}

// Enough refuses slices too thin to fit, calibrate or judge on: under 500 rows
// or 50 positives (or 50 negatives). The error Is data.ErrTooLittle and says
// of every such slice how many it has and how many it lacks.
func (s *Slices) Enough(table string) error {
	var thin []string
	for _, c := range s.Slices {
		if short := c.short(); short != "" {
			thin = append(thin, fmt.Sprintf("slice %s (%s to %s) has %d rows, %d of them positive: %s too few", c.Part, c.From, c.To, c.Rows, c.Positives, short))
		}
	}
	if thin == nil {
		return nil
	}
	return data.Faultf(data.ErrTooLittle, "train: %s: %s; each slice needs at least %d rows, %d positive and %d negative: give a longer log or a later as_of",
		table, strings.Join(thin, "; "), minRows, minPositives, minPositives)
}

// short is what the slice lacks, in words; "" = nothing.
func (c *Slice) short() string {
	var out []string
	for _, n := range []struct {
		what string
		lack int64
	}{{"rows", minRows - c.Rows}, {"positive", minPositives - c.Positives}, {"negative", minPositives - (c.Rows - c.Positives)}} {
		if n.lack == 1 {
			n.what = strings.TrimSuffix(n.what, "s")
		}
		if n.lack > 0 {
			out = append(out, fmt.Sprintf("%d %s", n.lack, n.what))
		}
	}
	return strings.Join(out, ", ")
}

// istMidnight is the start of t's day in India.
func istMidnight(t data.Micros) data.Micros { return t - t.ISTTimeOfDay() }

// monthsBefore is the same day of the month and time of day n months earlier in
// India; a day that the month lacks becomes its last.
func monthsBefore(t data.Micros, n int) data.Micros {
	y, m, d := t.ISTDate()
	first := time.Date(y, m-time.Month(n), 1, 0, 0, 0, 0, time.UTC)
	days := first.AddDate(0, 1, -1).Day()
	return data.IST(first.Year(), first.Month(), min(d, days), 0, 0) + t.ISTTimeOfDay()
}

// span prints a length of time in its largest whole unit.
func span(d data.Micros) string {
	switch {
	case d >= 2*data.Day:
		return fmt.Sprintf("%d days", d/data.Day)
	case d >= 2*data.Hour:
		return fmt.Sprintf("%d hours", d/data.Hour)
	}
	return fmt.Sprintf("%d seconds", d/data.Second)
}
