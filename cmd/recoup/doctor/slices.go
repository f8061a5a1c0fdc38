package doctor

import (
	"time"

	"recoup/data"
	"recoup/train"
)

// cutRetries finds the rows of the attempt model and lays the slices of a night
// over them.
func (e *exam) cutRetries() {
	type row struct {
		at data.Micros
		y  bool
	}
	var rows []row
	var last, longest data.Micros
	for _, i := range e.index.Plan() {
		r := e.index.Retry(i)
		h := e.log.Horizon(r.Rail)
		m := e.month(r.At)
		m.Retries++
		if r.At+h > e.until {
			continue
		}
		m.Mature++
		y := r.Captured(h)
		if y {
			m.Captured++
		}
		id := e.index.CaseID(r)
		if paid, _ := e.strays.Get(id); paid {
			continue
		}
		c, ok := e.cases.Get(id)
		if !ok || c.failed == (data.Cursor{}) || c.failed.Compare(r.Moment()) > 0 || !e.index.Owed(r) || r.Decided && r.Decision == nil {
			continue
		}
		rows = append(rows, row{r.At, y})
		last, longest = max(last, r.At), max(longest, h)
	}
	if len(rows) == 0 {
		e.retries.Why = "no retry whose window has closed"
		e.days.Why = e.retries.Why
		return
	}
	s, err := train.Cut(train.Span{First: e.first, Last: last, AsOf: e.AsOf, Longest: longest})
	if err != nil {
		e.retries.Why, e.days.Why = err.Error(), err.Error()
	} else {
		p := s.ForPeriods()
		e.retries.Slices, e.days.Slices = &s, &p
	}
	for _, r := range rows {
		e.retries.count(r.at, r.y)
	}
	e.retries.judge("attempts")
}

// count adds a row of the table.
func (s *Sliced) count(at data.Micros, positive bool) {
	y := int64(0)
	if positive {
		y = 1
	}
	s.Rows++
	s.Positives += y
	if s.Slices != nil {
		s.Slices.Count(at, y)
	}
}

// judge says why a night would find a slice too thin.
func (s *Sliced) judge(table string) {
	if s.Slices == nil || s.Why != "" {
		return
	}
	if err := s.Slices.Enough(table); err != nil {
		s.Why = err.Error()
	}
}

// byMonth are the months in order, empty ones between them included.
func (e *exam) byMonth() []Month {
	if len(e.months) == 0 {
		return []Month{}
	}
	first, last := "9999", ""
	for name := range e.months {
		first, last = min(first, name), max(last, name)
	}
	out := []Month{}
	t, err := time.Parse("2006-01", first)
	for ; err == nil && len(out) < 1200; t = t.AddDate(0, 1, 0) { // a century: beyond it the times are wrong
		name := t.Format("2006-01")
		m := e.months[name]
		if m == nil {
			m = &Month{Month: name}
		}
		if out = append(out, *m); name >= last {
			break
		}
	}
	return out
}
