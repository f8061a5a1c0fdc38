package report

// cannotTell is why a red line has no value.
const cannotTell = "cannot tell: the light is red"

// Doubted is what the numbers of a red line would have been. They stand apart, under a
// name that nobody takes for a value.
type Doubted struct {
	Net        Estimate  `json:"net"`
	Minus      Estimate  `json:"minus"`
	Recovered  Estimate  `json:"recovered"`
	RecMinus   Estimate  `json:"recovered_minus"`
	Estimators []Named   `json:"estimators"`
	Sweep      []Swept   `json:"sweep"`
	Wrong      []WrongBy `json:"wrong_propensities"`
	Windows    []Window  `json:"reward_windows"`
}

// red says whether nothing can be told of a line. What was measured, and what does the
// same as what was measured, needs no light.
func (l *Line) red() bool { return l.Light == "red" && !l.Measured && l.Alike != "incumbent" }

// Doubt takes the numbers of red lines out of the places where values stand. To do so
// twice changes nothing.
func (b *Bracket) Doubt() {
	for i := range b.Lines {
		l := &b.Lines[i]
		if !l.red() || l.Doubted != nil {
			continue
		}
		d := &Doubted{Net: l.Net, Minus: l.Minus, Recovered: l.Recovered, RecMinus: l.RecMinus, Estimators: l.Estimators, Sweep: l.Sweep, Wrong: l.Wrong}
		for k := range b.Windows {
			if w := &b.Windows[k]; w.Policy == l.Policy {
				d.Windows = append(d.Windows, *w)
				w.Net, w.Minus = doubtful(w.Net), doubtful(w.Minus)
			}
		}
		l.Doubted = d
		l.Net, l.Minus, l.Recovered, l.RecMinus = doubtful(l.Net), doubtful(l.Minus), doubtful(l.Recovered), doubtful(l.RecMinus)
		l.Headroom, l.FromModel = doubtful(l.Headroom), doubtful(l.FromModel)
		l.Estimators, l.Sweep, l.Wrong = []Named{}, []Swept{}, []WrongBy{}
	}
	for i := range b.Versus {
		if v := &b.Versus[i]; v.Light == "red" && v.Doubted == nil {
			was := v.Minus
			v.Doubted, v.Minus = &was, doubtful(was)
		}
	}
	if b.Sequence == nil {
		return
	}
	for i := range b.Sequence.Lines {
		if l := &b.Sequence.Lines[i]; l.Light == "red" && l.Doubted == nil {
			l.Doubted, l.Estimators = l.Estimators, []Named{}
		}
	}
}

// doubtful is an estimate of which the number is not told.
func doubtful(e Estimate) Estimate {
	if !e.known() {
		return e
	}
	return Estimate{N: e.N, Why: cannotTell}
}
