package models

import (
	"crypto/sha256"
	"encoding/hex"

	"recoup/data"
	"recoup/models/lightgbm"
)

// Forest is a LightGBM model bound to named inputs: the text file as LightGBM wrote
// it, and what is known of it beside. It is not changed after NewForest and safe for
// concurrent use.
type Forest struct {
	// Inputs are the columns in the order of the file's features. The code of a category
	// is the index of its level; Ref is always 0 and means nothing.
	Inputs []Input `json:"inputs"`
	// SHA256 is of the text, in hex; Text lies beside the JSON, in attempt.txt or cure.txt.
	SHA256 string `json:"text_sha256"`
	Text   []byte `json:"-"`
	// Gains are the total gains of the splits on each input, as LightGBM counts them; nil =
	// not known.
	Gains []float64 `json:"gains,omitempty"`
	// Answers are rows with LightGBM's own raw scores: the file is refused unless it is
	// read so that they come back bit for bit.
	Answers []ForestAnswer `json:"answers"`

	loaded *lightgbm.Loaded
}

// ForestAnswer is a row and LightGBM's raw score of it: the sum over the trees.
type ForestAnswer struct {
	Row []float64 `json:"row"`
	Raw float64   `json:"raw"`
}

// NewForest reads a text file strictly and binds its features, in their order, to
// inputs of the same names. At least one answer is needed.
func NewForest(inputs []Input, text []byte, gains []float64, answers []ForestAnswer) (*Forest, error) {
	f := &Forest{Inputs: inputs, SHA256: hashOf(text), Gains: gains, Answers: answers}
	return f, f.Attach(text)
}

func hashOf(text []byte) string {
	h := sha256.Sum256(text)
	return hex.EncodeToString(h[:])
}

// Attach gives a forest that was read from JSON its text and makes it ready to answer.
func (f *Forest) Attach(text []byte) error {
	if got := hashOf(text); got != f.SHA256 {
		return data.Faultf(data.ErrContract, "models: forest: the text's sha256 is %s, not %s: it belongs to another model", got, f.SHA256)
	}
	d := Design{Inputs: f.Inputs}
	if err := d.checkInputs(); err != nil {
		return err
	}
	if len(f.Answers) == 0 {
		return data.Faultf(data.ErrUnsafe, "models: forest: no rows with LightGBM's own answers: nothing would show that the file is read as it was meant")
	}
	golden := make([]lightgbm.Golden, len(f.Answers))
	for i, a := range f.Answers {
		golden[i] = lightgbm.Golden(a)
	}
	loaded, err := lightgbm.Load(text, golden)
	if err != nil {
		return data.Faultf(data.ErrUnsafe, "models: forest: %w", err)
	}
	f.Text, f.loaded = text, loaded
	return f.bound()
}

// bound refuses inputs that are not the file's features.
func (f *Forest) bound() error {
	m := f.loaded.Model
	if len(m.Names) != len(f.Inputs) {
		return data.Faultf(data.ErrContract, "models: forest: %d inputs, the text has %d features", len(f.Inputs), len(m.Names))
	}
	if f.Gains != nil && len(f.Gains) != len(f.Inputs) {
		return data.Faultf(data.ErrContract, "models: forest: %d gains of %d inputs", len(f.Gains), len(f.Inputs))
	}
	var bad faults
	for i, in := range f.Inputs {
		switch {
		case m.Names[i] != in.Name:
			bad.addf("feature %d is %s in the text and %s here", i, m.Names[i], in.Name)
		case m.Kinds[i] == lightgbm.Categorical && !in.Category():
			bad.addf("feature %s is a category in the text and a number here", in.Name)
		case m.Kinds[i] == lightgbm.Numeric && in.Category():
			bad.addf("feature %s is a number in the text and a category here", in.Name)
		case f.Gains != nil && !(f.Gains[i] >= 0 && finite(f.Gains[i])):
			bad.addf("feature %s: gain %v: 0 or more is expected", in.Name, f.Gains[i])
		}
	}
	if err := bad.join(); err != nil {
		return data.Faultf(data.ErrContract, "models: forest: %w", err)
	}
	return nil
}

// Trees is how many trees the forest has.
func (f *Forest) Trees() int { return len(f.loaded.Model.Trees) }

// Compiled is the form that answers fast; rows are in the order of Inputs.
func (f *Forest) Compiled() *lightgbm.Forest { return f.loaded.Forest }

// Margin is the logit of the forest's own probability, LightGBM's slope times the raw
// score (of a random forest: the mean over the trees). A row that does not fit is an
// error, never a number; values that are not finite do not fit.
func (f *Forest) Margin(row []float64) (float64, error) {
	if f.loaded == nil {
		return 0, data.Faultf(data.ErrContract, "models: forest: not built by NewForest")
	}
	if err := checkRow(f.Inputs, row); err != nil {
		return 0, err
	}
	raw, err := f.loaded.Forest.Raw(row)
	if err != nil {
		return 0, data.Faultf(data.ErrContract, "models: forest: %w", err)
	}
	return f.logit(raw)
}

// logit is the margin of a raw score.
func (f *Forest) logit(raw float64) (float64, error) {
	z := f.loaded.Forest.Logit(raw)
	if !finite(z) {
		return 0, data.Faultf(data.ErrContract, "models: forest: the row's logit is %v", z)
	}
	return z, nil
}
