package models

import (
	"bytes"
	"encoding/json"
	"math"

	"recoup/data"
)

// Dropped is a column that was left out of a fit, and why.
type Dropped struct {
	Column string `json:"column"`
	Why    string `json:"why"`
}

// Logistic is a fitted logistic regression: logit P(y=1) = Intercept + sum of
// Coef times columns. Slices are in the order of the design's columns.
//
// Margins are computed as Base + sum Coef*(column - Center), which loses nothing
// when a column is far from zero (a year, an epoch); Intercept is the same thing
// seen from zero, for people.
type Logistic struct {
	Design
	Intercept float64   `json:"intercept"` // logit where every column is 0
	Base      float64   `json:"base"`      // logit where every column is at its Center
	Coef      []float64 `json:"coef"`      // raw scale; 0 for a dropped column
	Center    []float64 `json:"center"`    // the mean for a number, 0 for a level
	Mean      []float64 `json:"mean"`      // weighted, of the training rows
	SD        []float64 `json:"sd"`        // weighted population standard deviation
	Dropped   []Dropped `json:"dropped"`

	layout *Layout
}

// NewLogistic checks the parts of a model and makes it ready to predict. base,
// coef and center follow the design's columns; mean, sd and dropped are kept as
// they are.
func NewLogistic(d Design, base float64, coef, center, mean, sd []float64, dropped []Dropped) (*Logistic, error) {
	m := &Logistic{Design: d, Base: base, Coef: coef, Center: center, Mean: mean, SD: sd, Dropped: dropped}
	if m.Dropped == nil {
		m.Dropped = []Dropped{}
	}
	m.Intercept = m.intercept()
	return m, m.ready()
}

func (m *Logistic) intercept() float64 {
	if len(m.Center) != len(m.Coef) {
		return math.NaN()
	}
	s := Sum{}
	s.Add(m.Base)
	for j, b := range m.Coef {
		s.Add(-b * m.Center[j])
	}
	return s.Value()
}

// ready checks the model and works out its layout.
func (m *Logistic) ready() error {
	l, err := m.Design.Layout()
	if err != nil {
		return err
	}
	for _, s := range []struct {
		name string
		v    []float64
	}{{"coef", m.Coef}, {"center", m.Center}, {"mean", m.Mean}, {"sd", m.SD}} {
		if len(s.v) != len(l.Columns) {
			return data.Faultf(data.ErrContract, "models: logistic: %s has %d entries, the design %d columns", s.name, len(s.v), len(l.Columns))
		}
		for j, v := range s.v {
			if !finite(v) {
				return data.Faultf(data.ErrContract, "models: logistic: %s of column %s is %v", s.name, l.Columns[j], v)
			}
		}
	}
	if !finite(m.Base) || !finite(m.Intercept) {
		return data.Faultf(data.ErrContract, "models: logistic: intercept %v, base %v", m.Intercept, m.Base)
	}
	m.layout = l
	return nil
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// Columns names the model's columns, in the order of Coef. The slice is shared.
func (m *Logistic) Columns() []string { return m.layout.Columns }

// Layout is the model's worked-out design. It is shared: not to be changed.
func (m *Logistic) Layout() *Layout { return m.layout }

// Margin is the logit of a row of inputs in the order of Inputs, a category as
// the index of its level. A row that does not fit is an error, never a number.
func (m *Logistic) Margin(row []float64) (float64, error) {
	if m.layout == nil {
		return 0, data.Faultf(data.ErrContract, "models: logistic: not built by NewLogistic or from JSON")
	}
	if err := m.CheckRow(row); err != nil {
		return 0, err
	}
	z := m.Base
	for i := range m.layout.Parts {
		p := &m.layout.Parts[i]
		if c, v := p.Value(row); c >= 0 {
			j := p.Offset + c
			z += float64(m.Coef[j] * (v - m.Center[j]))
		}
	}
	if !finite(z) {
		return 0, data.Faultf(data.ErrContract, "models: logistic: the row's logit is %v: a value is far outside what the model was fitted on", z)
	}
	return z, nil
}

// Prob is P(y=1) of a row, without recalibration; see Margin.
func (m *Logistic) Prob(row []float64) (float64, error) {
	z, err := m.Margin(row)
	if err != nil {
		return 0, err
	}
	return Sigmoid(z), nil
}

// Sigmoid is 1/(1+exp(-z)), without overflow and with full precision for large |z|.
func Sigmoid(z float64) float64 {
	if z >= 0 {
		return 1 / (1 + math.Exp(-z))
	}
	e := math.Exp(z)
	return e / (1 + e)
}

// Logit is ln(p/(1-p)): infinite at 0 and 1.
func Logit(p float64) float64 { return ln(p) - math.Log1p(-p) }

// ln is math.Log, right also below 2^-1022, where math.Log on amd64 answers as if
// for 2^-1022.
func ln(x float64) float64 {
	if x > 0 && x < 0x1p-1022 {
		return math.Log(x*0x1p54) - 54*math.Ln2
	}
	return math.Log(x)
}

// UnmarshalJSON reads a model and checks it whole.
func (m *Logistic) UnmarshalJSON(b []byte) error {
	type plain Logistic
	var p plain
	if err := strict(b, &p); err != nil {
		return data.Faultf(data.ErrContract, "models: logistic: %w", err)
	}
	got := (*Logistic)(&p)
	if got.Dropped == nil {
		got.Dropped = []Dropped{}
	}
	if err := got.ready(); err != nil {
		return err
	}
	size := math.Abs(got.Base)
	for j, b := range got.Coef {
		size += math.Abs(b * got.Center[j])
	}
	if want := got.intercept(); !(math.Abs(want-got.Intercept) <= 1e-9*(1+size)) {
		return data.Faultf(data.ErrContract, "models: logistic: intercept %v does not agree with base and coefficients (%v)", got.Intercept, want)
	}
	*m = *got
	return nil
}

// strict decodes one JSON value without unknown keys.
func strict(b []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.DisallowUnknownFields()
	return dec.Decode(v)
}
