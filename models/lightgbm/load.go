package lightgbm

import (
	"fmt"
	"math"
)

// Golden is a row with LightGBM's own raw score of it, as predict(raw_score=True) gave it
// when the model was trained. A row is in the model's order: categories as codes, NaN
// where missing.
type Golden struct {
	Row []float64
	Raw float64
}

// Loaded is a model that may be served. It is not changed after Load and safe for
// concurrent use.
type Loaded struct {
	Model   *Model
	Forest  *Forest
	Golden  int // rows that came back as LightGBM scored them
	Hostile int // rows on which the compiled form, the plain walk and leaves were compared
}

// HostileRows is how many rows Load makes up to compare with leaves.
const HostileRows = 1000

// MismatchError is a model that two readings score differently: it must not be served.
type MismatchError struct {
	Row       int    // from 0
	Rows      string // "golden" or "hostile"
	Of        string // whose score Got is
	Got, Want float64
	By        string // whose score Want is
}

func (e *MismatchError) Error() string {
	return fmt.Sprintf("lightgbm: %s row %d: raw score %v by %s, but %v by %s: the model is not served, since one of them reads it wrong", e.Rows, e.Row+1, e.Got, e.Of, e.Want, e.By)
}

// Load parses a model text and compiles it, and refuses it unless the readings of it
// agree on raw scores, bit for bit: the compiled forest with LightGBM's own scores of the
// golden rows (there may be none), and with the plain walk and the leaves library on the
// golden rows and HostileRows made-up ones, which sit on the thresholds and hold what
// real rows seldom do. Leaves knows no linear leaves: with them it is compared by the
// plain values of the leaves, so it checks the way down the trees. The same text is
// always checked on the same rows.
func Load(text []byte, golden []Golden) (*Loaded, error) {
	m, blocks, err := parse(text)
	if err != nil {
		return nil, err
	}
	f, err := Compile(m)
	if err != nil {
		return nil, err
	}
	for i, g := range golden {
		got, err := f.Raw(g.Row)
		if err != nil {
			return nil, fmt.Errorf("lightgbm: golden row %d: %w", i+1, err)
		}
		if !same(got, g.Raw) {
			return nil, &MismatchError{Row: i, Rows: "golden", Of: "this reading of the file", Got: got, Want: g.Raw, By: "LightGBM"}
		}
	}
	c, err := newComparison(m, f, blocks)
	if err != nil {
		return nil, err
	}
	for i, g := range golden {
		if err := c.row("golden", i, g.Row); err != nil {
			return nil, err
		}
	}
	row, h := make([]float64, len(m.Names)), newHostile(m)
	for i := range HostileRows {
		h.fill(row)
		if err := c.row("hostile", i, row); err != nil {
			return nil, err
		}
	}
	return &Loaded{Model: m, Forest: f, Golden: len(golden), Hostile: HostileRows}, nil
}

// same compares bits; one NaN is as good as another.
func same(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}
