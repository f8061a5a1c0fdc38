package score

import (
	"strconv"

	"recoup/data"
)

// sheet collects rows of one shape into frames and hands full ones on.
type sheet struct {
	candidates bool
	frame      data.Frame
	dicts      []map[string]uint32 // of the text columns
	write      func(*data.Frame) error
}

const sheetRows = 8192

func column(name string, k data.Kind, nullable bool) data.Column {
	c := data.Column{Name: name, Kind: k}
	if nullable {
		c.Nulls = []bool{}
	}
	return c
}

func newSheet(candidates bool) *sheet {
	s := &sheet{candidates: candidates}
	worth := []data.Column{column("p", data.Float64, true), column("p_wait", data.Float64, true), column("uplift", data.Float64, true),
		column("cost_paise", data.Int64, false), column("fatigue_paise", data.Int64, false), column("later_paise", data.Int64, false),
		column("opportunity_paise", data.Int64, false), column("ev_paise", data.Int64, true), column("propensity", data.Float64, false), column("mix", data.Float64, false)}
	action := []data.Column{column("action", data.String, false), column("kind", data.String, true), column("at", data.Timestamp, false)}
	if candidates {
		s.frame.Columns = append(append([]data.Column{column("case_id", data.String, false)}, action...), append(worth, column("chosen", data.Bool, false))...)
	} else {
		s.frame.Columns = append([]data.Column{column("case_id", data.String, false), column("customer_id", data.String, false), column("class", data.String, true),
			column("reason", data.String, true), column("rail", data.String, false), column("amount_paise", data.Int64, false)}, append(action, worth...)...)
		s.frame.Columns = append(s.frame.Columns, column("margin_paise", data.Int64, true), column("risk", data.Int64, false), column("breaker", data.String, true),
			column("decision_id", data.String, false), column("arm", data.String, false), column("assigned", data.String, false), column("arm_share", data.Float64, false),
			column("fallback", data.String, true), column("logger", data.String, false), column("gate", data.String, false), column("policy_id", data.String, false),
			column("model_id", data.String, true), column("schema", data.String, false))
	}
	s.dicts = make([]map[string]uint32, len(s.frame.Columns))
	s.empty()
	return s
}

func (s *sheet) empty() {
	s.frame.First += int64(s.frame.N)
	s.frame.N = 0
	for i := range s.frame.Columns {
		c := &s.frame.Columns[i]
		c.F, c.I, c.Codes, c.Dict = c.F[:0], c.I[:0], c.Codes[:0], nil
		if c.Nulls != nil {
			c.Nulls = c.Nulls[:0]
		}
		s.dicts[i] = map[string]uint32{}
	}
}

// add appends the rows of a decision.
func (s *sheet) add(d *Decision) error {
	if !s.candidates {
		return s.row(d, d.Chosen)
	}
	for i := range d.Allowed {
		if err := s.row(d, i); err != nil {
			return err
		}
	}
	return nil
}

// row appends a case with one of its candidates.
func (s *sheet) row(d *Decision, i int) error {
	c, k := &d.Allowed[i], 0
	text := func(v string) { s.text(k, v); k++ }
	whole := func(v int64) { s.frame.Columns[k].I = append(s.frame.Columns[k].I, v); k++ }
	real := func(v *float64) { s.real(k, v); k++ }
	text(d.CaseID)
	if !s.candidates {
		text(d.CustomerID)
		text(d.Class.String())
		text(d.Reason.String())
		text(d.Rail.String())
		whole(int64(d.Amount))
	}
	text(c.Action.String())
	text(c.Kind.String())
	whole(int64(c.At))
	real(c.P)
	real(d.Allowed[0].P) // waiting comes first
	real(c.Uplift)
	whole(int64(c.Cost))
	whole(int64(c.Fatigue))
	whole(int64(c.Later))
	whole(int64(c.Opportunity))
	s.paise(k, c.EV)
	k++
	real(&c.Propensity)
	real(&c.Mix)
	if s.candidates {
		whole(map[bool]int64{true: 1}[i == d.Chosen])
	} else {
		s.paise(k, d.Margin)
		k++
		whole(d.Risk.Score)
		text(d.Breaker)
		text(d.ID)
		text(d.Arm.String())
		text(d.Assigned.String())
		real(&d.ArmShare)
		text(d.Fallback)
		text(d.Logger)
		text(d.Gate)
		text(d.PolicyID)
		text(d.ModelID)
		text(d.Schema)
	}
	if s.frame.N++; s.frame.N == sheetRows {
		return s.flush()
	}
	return nil
}

func (s *sheet) flush() error {
	err := s.write(&s.frame)
	s.empty()
	return err
}

// text appends to a text column; "" is null where the column may hold nulls.
func (s *sheet) text(k int, v string) {
	c := &s.frame.Columns[k]
	code, known := s.dicts[k][v]
	if !known {
		code = uint32(len(c.Dict))
		s.dicts[k][v], c.Dict = code, append(c.Dict, v)
	}
	c.Codes = append(c.Codes, code)
	s.null(c, v == "")
}

func (s *sheet) real(k int, v *float64) {
	c := &s.frame.Columns[k]
	if s.null(c, v == nil); v == nil {
		c.F = append(c.F, 0)
	} else {
		c.F = append(c.F, *v)
	}
}

func (s *sheet) paise(k int, v *data.Paise) {
	c := &s.frame.Columns[k]
	if s.null(c, v == nil); v == nil {
		c.I = append(c.I, 0)
	} else {
		c.I = append(c.I, int64(*v))
	}
}

func (s *sheet) null(c *data.Column, is bool) {
	if c.Nulls != nil {
		c.Nulls = append(c.Nulls, is)
	}
}

// cell is a value as CSV.
func cell(c *data.Column, r int) string {
	if c.Null(r) {
		return ""
	}
	switch c.Kind {
	case data.String:
		return c.Text(r)
	case data.Float64:
		return strconv.FormatFloat(c.F[r], 'g', -1, 64)
	case data.Timestamp:
		return data.Micros(c.I[r]).String()
	case data.Bool:
		return strconv.FormatBool(c.I[r] != 0)
	}
	return strconv.FormatInt(c.I[r], 10)
}
