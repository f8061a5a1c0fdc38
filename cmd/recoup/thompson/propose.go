package thompson

import (
	"fmt"
	"slices"

	"recoup/data"
	"recoup/ope/bandit"
	"recoup/score"
)

// drawPairs is from how many pairs of coefficients the logistic bandit's probabilities
// are counted.
const drawPairs = 512

// Propose is a state as the explorer's proposal, and the name of its formula, which
// holds the posterior's version, and of a Beta bandit also the time to which it is aged:
// the name alone says by what probabilities a decision was drawn.
func (f *File) Propose() (score.Proposal, string, error) {
	switch f.Kind {
	case Beta:
		p, _, err := bandit.DecodeState(f.State)
		if err != nil {
			return nil, "", err
		}
		if !slices.Equal(p.Arms, armNames()) {
			return nil, "", data.Faultf(data.ErrContract, "bandit: state: its arms are not those of this recoup: learn again with recoup bandit learn")
		}
		return byBeta(p, f.AsOf), "thompson-beta-1 " + p.Version() + " " + f.AsOf.String(), nil
	case Logistic:
		l, err := bandit.DecodeLogistic(f.State)
		if err != nil {
			return nil, "", err
		}
		n, err := l.Normal()
		if err != nil {
			return nil, "", err
		}
		if len(n.Mean) != columns+len(windows) {
			return nil, "", data.Faultf(data.ErrContract, "bandit: state: %d coefficients: expected %d: learn again with recoup bandit learn", len(n.Mean), columns+len(windows))
		}
		return byLogistic(n.Draws(drawPairs, []byte(l.Version()))), "thompson-logistic-1 " + l.Version(), nil
	}
	return nil, "", data.Faultf(data.ErrContract, "bandit: kind %q: expected beta or logistic", f.Kind)
}

// byBeta gives each arm its exact probability to be the best among those present, and
// shares it out evenly among the arm's candidates.
func byBeta(p *bandit.Posterior, asOf data.Micros) score.Proposal {
	return func(drawable []score.Choice, d *score.Decision) ([]float64, error) {
		first := data.Micros(0)
		for i := range drawable {
			if c := &drawable[i]; c.Action == data.Retry && (first == 0 || c.At < first) {
				first = c.At
			}
		}
		of, count, legal := make([]int, len(drawable)), make([]int, len(p.Arms)), make([]bool, len(p.Arms))
		for i := range drawable {
			k := armOf(drawable[i].Action, drawable[i].At, first)
			if k < 0 {
				return nil, fmt.Errorf("candidate %s is no arm", drawable[i].Action)
			}
			of[i], legal[k] = k, true
			count[k]++
		}
		s, err := p.Select(cellOf(d.Class), asOf, legal, 0)
		if err != nil {
			return nil, err
		}
		out := make([]float64, len(drawable))
		for i, k := range of {
			out[i] = s.Probs[k] / float64(count[k])
		}
		return out, nil
	}
}

// byLogistic counts in how many of the fixed draws each candidate is the best.
func byLogistic(draws *bandit.Draws) score.Proposal {
	return func(drawable []score.Choice, d *score.Decision) ([]float64, error) {
		rows, offset := make([][]float64, len(drawable)), make([]float64, len(drawable))
		for i, c := range drawable {
			rows[i], offset[i] = rowOf(c.Action, c.At, d.DecidedAt, c.P)
		}
		return draws.Select(rows, offset, nil, 0)
	}
}
