package selftest

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"recoup/data"
	"recoup/data/sim"
	"recoup/features"
	"recoup/score"
)

// The arms of the logger and their shares: no two sums of them are alike, so that the
// mixed probabilities of a decision tell what each arm would have done.
const (
	explorerShare = .5
	rulesShare    = .3
	controlShare  = .2
)

// lab holds the engines of one world, keyed by its seed.
type lab struct {
	seed   uint64
	policy *score.Policy
	pooled *score.Engine              // cases divided over the arms
	only   map[data.Arm]*score.Engine // each arm alone
}

// pooledPolicy is the built-in policy with the cases divided over the arms.
func pooledPolicy() (*score.Policy, error) {
	return dividedPolicy(rulesShare, explorerShare, controlShare)
}

// exploringPolicy is the built-in policy with all cases explored.
func exploringPolicy() (*score.Policy, error) { return dividedPolicy(0, 1, 0) }

func dividedPolicy(rules, explorer, control float64) (*score.Policy, error) {
	const undivided = "arms: {rules: 0, model: 1, explorer: 0, control: 0,"
	divided := fmt.Sprintf("arms: {rules: %g, model: 0, explorer: %g, control: %g,", rules, explorer, control)
	text := score.DefaultText()
	if !bytes.Contains(text, []byte(undivided)) {
		return nil, data.Faultf(data.ErrContract, "ope selftest: the built-in policy no longer says %q", undivided)
	}
	return score.ParsePolicy("policy.yaml", bytes.Replace(text, []byte(undivided), []byte(divided), 1))
}

// newLab makes the engines of a world. proposal is the explorer's; nil = all options alike.
func newLab(p *score.Policy, seed uint64, proposal score.Proposal) (*lab, error) {
	l := &lab{seed: seed, policy: p, only: map[data.Arm]*score.Engine{}}
	e, err := score.New(p, nil)
	if err != nil {
		return nil, err
	}
	salt := fmt.Appendf(nil, "no secret in simulated world %d", seed)
	x := score.Explorer{Salt: salt, Proposal: proposal}
	if proposal != nil {
		x.Formula = "selftest-1"
	}
	if l.pooled, err = e.Explore(x); err != nil {
		return nil, err
	}
	for _, arm := range []data.Arm{data.ArmRules, data.ArmExplorer, data.ArmControl} {
		x.Only = arm
		if l.only[arm], err = e.Explore(x); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// answer decides about a case.
type answer func(t *sim.Turn, s *features.State) (*data.Decision, error)

// decider plays a world with what answers. A case is decided after each failure; the
// gate is asked again before anything is done.
func (l *lab) decider(name string, decide answer) sim.Decider {
	state := features.NewState()
	return sim.Decider{ID: name,
		Fold: func(row data.AnyRow) error { return features.FoldAny(state, row) },
		Recheck: func(caseID string, c data.Candidate, t data.Micros) (bool, error) {
			if err := state.Until(data.AsOf(t)); err != nil {
				return false, err
			}
			needs, refused, err := l.pooled.Recheck(state, caseID, c, t)
			return refused == nil && needs.NoticeBy == 0 && needs.PollFrom == 0, err
		},
		Decide: func(t *sim.Turn) (*data.Decision, error) {
			if err := state.Until(t.AsOf()); err != nil {
				return nil, err
			}
			return decide(t, state)
		}}
}

// by is an engine's own word.
func by(e *score.Engine) answer {
	return func(t *sim.Turn, s *features.State) (*data.Decision, error) {
		d, err := e.DecideAs(score.Ask{DecisionID: t.DecisionID}, s, t.CaseID, t.Now)
		if err != nil {
			return nil, err
		}
		row := d.Row()
		t.PollFrom = d.Allowed[row.Chosen].PollFrom
		return &row, nil
	}
}

// asked is the logger's own decision, and from when each option's status check can be made.
func (l *lab) asked(t *sim.Turn, s *features.State) (*data.Decision, []data.Micros, error) {
	d, err := l.pooled.DecideAs(score.Ask{DecisionID: t.DecisionID}, s, t.CaseID, t.Now)
	if err != nil {
		return nil, nil, err
	}
	row, polls := d.Row(), make([]data.Micros, len(d.Allowed))
	for i := range d.Allowed {
		polls[i] = d.Allowed[i].PollFrom
	}
	return &row, polls, nil
}

// unit is a number in [0, 1) of 53 bits, keyed by words.
func unit(words ...any) float64 {
	h := sha256.Sum256(fmt.Appendln(nil, words...))
	return float64(binary.BigEndian.Uint64(h[:])>>11) * 0x1p-53
}

// draw is the inverse of the cumulative distribution at u.
func draw(p []float64, u float64) int {
	last := 0
	for i, q := range p {
		if q <= 0 {
			continue
		}
		if last = i; u < q {
			return i
		}
		u -= q
	}
	return last
}
