package bracket

import (
	"fmt"
	"slices"

	"recoup/data"
	"recoup/ope"
)

// Unit is what a decision is rewarded with.
type Unit uint8

// The units.
const (
	NetRupees     Unit = iota + 1 // what was paid less the costs, in rupees
	RecoveredRate                 // 1 = paid within the horizon
)

// Select keeps some decisions of a log, in their order.
type Select struct {
	Keep  []int // indexes into the log's decisions
	Given bool  // weights by the probability given the arm, else by that over all arms
	Unit  Unit  // NetRupees where 0
}

// Firsts are the first decisions of the cases: the rows of the bracket.
func (l *Log) Firsts() []int {
	var out []int
	for i := range l.Decisions {
		if l.Decisions[i].No == 0 {
			out = append(out, i)
		}
	}
	return out
}

// Randomised says why a log cannot be judged by: nothing in it was left to chance;
// "" = something was.
func (l *Log) Randomised() string {
	if len(l.Decisions) == 0 {
		return "no matured decision with an outcome"
	}
	for _, i := range l.Firsts() {
		if d := &l.Decisions[i]; !d.Forced() && d.Mix() < 1-1e-9 {
			return ""
		}
	}
	return "no decision was left to chance: each was certain given its case, so what else could have come of it is not in the log; give the explorer a share (policy file, choice.arms)"
}

// Table is a selection as rows of package ope, ready for any target.
type Table struct {
	Log       *Log
	Keep      []int
	Rows      ope.Rows // without Target and Q
	Customers int
}

// Table makes the rows of a selection.
func (l *Log) Table(s Select) (*Table, error) {
	if len(s.Keep) == 0 {
		return nil, data.Faultf(data.ErrTooLittle, "ope: no decision to judge: %s", l.Randomised())
	}
	t := &Table{Log: l, Keep: s.Keep}
	r := &t.Rows
	r.Actions = kinds()
	r.Start = append(r.Start, 0)
	cluster := map[string]int32{}
	var banks, weeks, both, learned []string
	var behaviour []float64
	for _, i := range s.Keep {
		d := &l.Decisions[i]
		for j := range d.Options {
			o := &d.Options[j]
			p := o.Mix
			if s.Given {
				p = o.Propensity
			}
			behaviour = append(behaviour, p)
			r.Label = append(r.Label, kindOf(d, o))
		}
		if len(behaviour) > 1<<31-1 {
			return nil, fmt.Errorf("ope: %d candidates: more than rows can hold", len(behaviour))
		}
		r.Start = append(r.Start, int32(len(behaviour)))
		r.Taken = append(r.Taken, int32(d.Chosen))
		r.Propensity = append(r.Propensity, min(1, behaviour[int(r.Start[len(r.Start)-2])+d.Chosen]))
		if s.Unit == RecoveredRate {
			r.Reward = append(r.Reward, bit(d.Recovered))
		} else {
			r.Reward = append(r.Reward, d.Net())
		}
		c, ok := cluster[d.CustomerID]
		if !ok {
			c = int32(len(cluster))
			cluster[d.CustomerID] = c
		}
		r.Cluster = append(r.Cluster, c)
		week := fmt.Sprint(d.At / (7 * data.Day))
		banks, weeks, both = append(banks, d.Bank), append(weeks, week), append(both, d.Bank+" "+week)
		learned = append(learned, posteriorOf(d.Logger))
	}
	// An outage moves all customers of a bank; that a bank is worse, or a week has a pay day
	// in it, is no chance.
	r.Shared, r.Lasting = ope.Groups(both), [][]int32{ope.Groups(banks), ope.Groups(weeks)}
	if slices.ContainsFunc(learned, func(v string) bool { return v != learned[0] }) {
		r.Batch = ope.Groups(learned)
	}
	r.Behaviour = [][]float64{behaviour}
	t.Customers = len(cluster)
	return t, nil
}

// Target is a policy on the rows of a table: ragged, as ope.Rows wants it.
func (t *Table) Target(p Policy) []float64 {
	out := make([]float64, 0, t.Rows.Start[len(t.Keep)])
	var probs []float64
	for _, i := range t.Keep {
		probs = p.Probs(probs, i, &t.Log.Decisions[i])
		out = append(out, probs...)
	}
	return out
}

// Q is a reward model on the rows of a table.
func (t *Table) Q(r *Reward, u Unit) []float64 {
	if r == nil || r.Why != "" {
		return nil
	}
	of := r.Net
	if u == RecoveredRate {
		of = r.P
	}
	out := make([]float64, 0, t.Rows.Start[len(t.Keep)])
	for _, i := range t.Keep {
		out = append(out, of[i]...)
	}
	return out
}

// kinds are the names of what options are counted as: an action, a retry with the
// days until it.
func kinds() []string {
	return []string{"wait", "retry in 1 day", "retry in 2 days", "retry in 3 to 5 days", "retry in 6 to 9 days", "retry later", "payment_link", "nudge", "escalate"}
}

func kindOf(d *Decision, o *data.Option) int32 {
	switch o.Action {
	case data.Wait:
		return 0
	case data.Retry:
		switch days := (o.At - d.At) / data.Day; {
		case days < 1:
			return 1
		case days < 2:
			return 2
		case days < 5:
			return 3
		case days < 9:
			return 4
		}
		return 5
	case data.PaymentLink:
		return 6
	case data.Nudge:
		return 7
	}
	return 8
}
