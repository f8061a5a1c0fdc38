package features

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"recoup/data"
)

// Schema is the meaning of a feature row: what stands at each place of it.
type Schema struct {
	Name    string // "attempt" or "cure"
	Version int    // raised when the meaning of a column changes under an unchanged description
	Columns []Column
	Blocks  []Block
}

// Column is one number or category of a row.
type Column struct {
	Name      string
	Unit      string   // of a number; "" for a category
	Doc       string   // one line
	Group     string   // case, mandate, customer, health, candidate
	Levels    []string // of a category, level 0 = "unknown"; nil = a number
	Default   float64  // of a number, when nothing is known
	Tables    []string // the tables of the log it may read
	Candidate bool     // depends on the candidate, not on the state alone
}

// Block is an interaction: the product of two columns. A category times a
// number is one coefficient a level.
type Block struct {
	Name string
	A, B string
}

// The groups of columns.
const (
	GroupCase      = "case"
	GroupMandate   = "mandate"
	GroupCustomer  = "customer"
	GroupHealth    = "health"
	GroupCandidate = "candidate"
)

// Fingerprint is the sha256 (hex) of everything that gives a row its meaning.
// It travels with every table, model and decision.
func (s Schema) Fingerprint() string {
	text, err := json.Marshal(s) // struct fields in order: canonical
	if err != nil {
		panic(err) // strings and finite numbers only
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Index is the place of a column, -1 when there is none.
func (s Schema) Index(name string) int {
	return slices.IndexFunc(s.Columns, func(c Column) bool { return c.Name == name })
}

// Check says whether a row keeps the schema: its width, finite numbers, and
// categories inside their vocabulary.
func (s Schema) Check(row []float64) error {
	if len(row) != len(s.Columns) {
		return data.Faultf(data.ErrContract, "features: row of %d numbers: schema %s has %d columns", len(row), s.Name, len(s.Columns))
	}
	for i, x := range row {
		c := &s.Columns[i]
		switch {
		case x-x != 0: // NaN and the infinities
			return data.Faultf(data.ErrContract, "features: column %s: %v is not a finite number", c.Name, x)
		case c.Levels != nil && (x < 0 || int(x) >= len(c.Levels) || x != float64(int(x))):
			return data.Faultf(data.ErrContract, "features: column %s: %v is not one of its %d levels", c.Name, x, len(c.Levels))
		}
	}
	return nil
}
