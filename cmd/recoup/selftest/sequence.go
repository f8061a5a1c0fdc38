package selftest

import (
	"context"
	"math"

	"recoup/cmd/recoup/bracket"
	"recoup/data"
	"recoup/ope"
	"recoup/score"
)

// Sequenced is what a log judged as sequences holds, by unit.
type Sequenced struct {
	Input string     `json:"input"`
	Seed  uint64     `json:"seed"`
	Units []Sequence `json:"units"`
}

// Sequence is a policy over three attempts in one log: as a sequence, and as if only
// the first decision were its own.
type Sequence struct {
	Unit      string        `json:"unit"`
	Cases     int           `json:"cases"`
	Horizon   int           `json:"horizon"` // decisions of the longest case
	DR        *float64      `json:"dr"`
	SE        *float64      `json:"se"`
	CI        *ope.Interval `json:"ci"`
	Light     ope.Level     `json:"light"`
	ESS       float64       `json:"ess_fraction"` // after the last decision
	OneStep   *float64      `json:"one_step_dr"`
	OneStepSE *float64      `json:"one_step_se"`
	OneStepCI *ope.Interval `json:"one_step_ci"`
	Logged    float64       `json:"logged_mean"`
}

// hesitant is the logger of sequences: an explorer that leaves six of ten draws to what
// ends a case, so that a policy which goes on trying is worth much more than its first try.
func hesitant(drawable []score.Choice, _ *score.Decision) ([]float64, error) {
	n := 0
	for i := range drawable {
		if drawable[i].Action == data.Retry {
			n++
		}
	}
	out := make([]float64, len(drawable))
	for i := range drawable {
		switch {
		case n == 0 || n == len(drawable):
			out[i] = 1
		case drawable[i].Action == data.Retry:
			out[i] = .4 / float64(n)
		default:
			out[i] = .6 / float64(len(drawable)-n)
		}
	}
	return out, nil
}

// persistent retries as often as the gate allows, which is three times: early rather
// than late. Where no retry is allowed it does as the logger.
func persistent() bracket.Policy {
	p := preferring("persistent", "retries until the budget is spent, e times rarer with every six days of delay; as the logger where no retry is allowed", func(d *bracket.Decision, o *data.Option) float64 {
		if o.Action != data.Retry {
			return 0
		}
		return math.Exp(-daysUntil(d, o) / 6)
	})
	probs := p.Probs
	p.Probs = func(dst []float64, i int, d *bracket.Decision) []float64 {
		if retries(d, 0, math.MaxInt64) > 0 {
			return probs(dst, i, d)
		}
		dst = blank(dst, d)
		for j := range dst {
			dst[j] = d.Options[j].Mix
		}
		return dst
	}
	return p
}

// hesitantLab is a world in which the hesitant explorer decides alone.
func hesitantLab(p *score.Policy, seed uint64) (*lab, error) {
	l, err := newLab(p, seed, hesitant)
	if err != nil {
		return nil, err
	}
	l.pooled = l.only[data.ArmExplorer]
	return l, nil
}

// long keeps the first decisions of cases whose every decision has had its window: those
// that sequences are made of.
func (p *played) long() {
	var keep []int
	for _, i := range p.firsts {
		if d := &p.log.Decisions[i]; d.At+2*p.log.Horizon <= p.log.AsOf {
			keep = append(keep, i)
		}
	}
	p.firsts = keep
}

// sequences judges one log of the hesitant explorer.
func sequences(ctx context.Context, k kind, l *lab, n int) (*Sequenced, error) {
	p, err := l.play(ctx, k.cases)
	if err != nil {
		return nil, err
	}
	p.long()
	e := p.log.Sequences()
	if e.Why != "" {
		return nil, data.Faultf(data.ErrTooLittle, "ope selftest: seed %d: %s", l.seed, e.Why)
	}
	target, reward := persistent(), bracket.BaseRate(p.log.Decisions, l.seed)
	if reward.Why != "" {
		return nil, data.Faultf(data.ErrTooLittle, "ope selftest: seed %d: %s", l.seed, reward.Why)
	}
	t, err := p.log.Table(bracket.Select{Keep: p.firsts, Given: true})
	if err != nil {
		return nil, err
	}
	t.Rows.Target = t.Target(target)
	model := modelOf(t)
	out := &Sequenced{Input: k.input(l.policy.ID(), n), Seed: l.seed}
	for _, u := range units {
		rows := *e.Steps.Rows
		rows.Target, rows.Q = e.Target(target), e.Q(&reward)
		first := t.Rows
		first.Reward = net(t)
		if u.unit == bracket.RecoveredRate {
			rows.Reward, rows.Q = paidAtLast(e), asked(e, reward.P)
			first.Reward = model.paid
		}
		if first.Q, err = model.of(u.unit).crossFitted(customersOf(t), l.seed); err != nil {
			return nil, err
		}
		steps := e.Steps
		steps.Rows = &rows
		s, err := sequence(u.name, &steps, &first)
		if err != nil {
			return nil, err
		}
		out.Units = append(out.Units, *s)
	}
	return out, nil
}

func sequence(unit string, steps *ope.Episodes, first *ope.Rows) (*Sequence, error) {
	seq, err := ope.EstimateEpisodes(steps, 1, .95)
	if err != nil {
		return nil, err
	}
	single, err := estimate(first, false, 0)
	if err != nil {
		return nil, err
	}
	dr := seq.Estimators.Find("dr")
	return &Sequence{Unit: unit, Cases: seq.N, Horizon: seq.Horizon, DR: dr.Value, SE: dr.SECluster, CI: dr.CI, Light: seq.Light.Level,
		ESS: seq.Steps[len(seq.Steps)-1].ESS / float64(seq.N), OneStep: single.DR, OneStepSE: single.SE, OneStepCI: single.CI, Logged: seq.MeanReturn}, nil
}

// paidAtLast rewards the last decision before a payment with 1: each case's sum is
// whether it was paid within the horizon of its first decision.
func paidAtLast(e *bracket.Episodes) []float64 {
	out := make([]float64, len(e.Keep))
	for j := range e.Steps.Len() {
		from, to := int(e.Steps.First[j]), int(e.Steps.First[j+1])
		d := &e.Log.Decisions[e.Keep[from]]
		if !d.Recovered {
			continue
		}
		last := from
		for i := from; i < to; i++ {
			if e.Log.Decisions[e.Keep[i]].At < d.Settled {
				last = i
			}
		}
		out[last] = 1
	}
	return out
}

// asked is a reward model's word on the options of the steps.
func asked(e *bracket.Episodes, p [][]float64) (out []float64) {
	for _, i := range e.Keep {
		out = append(out, p[i]...)
	}
	return out
}

// seqRolls plays a world in which the persistent policy decides whole cases.
func seqRolls(ctx context.Context, k kind, l *lab, n int) (*Worth, error) {
	p, err := l.play(ctx, k.cases)
	if err != nil {
		return nil, err
	}
	p.long()
	v, err := l.worth(ctx, p, persistent(), true, true)
	if err != nil {
		return nil, err
	}
	return &Worth{Input: k.input(l.policy.ID(), n), Seed: l.seed, Cases: len(p.firsts), Targets: []Value{p.logged(), *v}}, nil
}
