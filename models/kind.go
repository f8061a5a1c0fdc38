package models

// Kind is what a model is made of, in the words of reports, cards and the API.
type Kind string

// The kinds of model.
const (
	KindLogistic Kind = "logistic regression"
	KindLightGBM Kind = "LightGBM"
)

// Kind is what the scorer is made of.
func (s *Scorer) Kind() Kind {
	if s.Forest != nil {
		return KindLightGBM
	}
	return KindLogistic
}

// Kind is what the attempt model is made of; it gives the bundle its name.
func (b *Bundle) Kind() Kind { return b.Attempt.Kind() }
