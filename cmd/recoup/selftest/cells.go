package selftest

import (
	"fmt"

	"recoup/cmd/recoup/bracket"
	"recoup/data"
	"recoup/ope"
)

// The reward model knows the class of the failure and the kind of option, nothing else:
// it is cheap and wrong, and need not be right.
const (
	classes = 16
	prior   = 20 // decisions by which a cell is drawn toward its class
)

// cells is the reward model of some rows: what share was paid by class and kind, and
// what a kind cost.
type cells struct {
	rows   *ope.Rows
	class  []data.Class // [n]
	amount []float64    // [n] rupees; nil = the reward is the share itself
	paid   []float64    // [n] 0 or 1
	cost   []float64    // [n] rupees; nil = none
}

// crossFitted is the model's word on every option, each customer's by a model of the others.
func (c *cells) crossFitted(customers []string, seed uint64) ([]float64, error) {
	f, err := ope.MakeFolds(customers, bracket.Folds, fmt.Sprintf("selftest %d", seed))
	if err != nil {
		return nil, err
	}
	return ope.CrossFit(c.rows, f, c.fit)
}

type tally struct{ n, sum float64 }

func (t tally) toward(mean float64) float64 { return (t.sum + float64(prior*mean)) / (t.n + prior) }

func (c *cells) fit(use []bool) (func(int, []float64) error, error) {
	kinds := len(c.rows.Actions)
	var all, cost tally
	byClass, byKind, cell, costs := make([]tally, classes), make([]tally, kinds), make([]tally, classes*kinds), make([]tally, kinds)
	for i, u := range use {
		if !u {
			continue
		}
		k, g := c.rows.Action(i, c.rows.At(i)), int(c.class[i])
		for _, t := range []*tally{&all, &byClass[g], &byKind[k], &cell[g*kinds+k]} {
			t.n++
			t.sum += c.paid[i]
		}
		if c.cost != nil {
			for _, t := range []*tally{&cost, &costs[k]} {
				t.n++
				t.sum += c.cost[i]
			}
		}
	}
	if all.n == 0 {
		return nil, data.Faultf(data.ErrTooLittle, "ope selftest: no decision to fit a reward model on")
	}
	p, spent := make([]float64, classes*kinds), make([]float64, kinds)
	mean := all.sum / all.n
	for g := range classes {
		for k := range kinds {
			both := byClass[g].toward(mean) + byKind[k].toward(mean) - mean // as if class and kind added up
			p[g*kinds+k] = cell[g*kinds+k].toward(min(1, max(0, both)))
		}
	}
	for k := range spent {
		if c.cost != nil {
			spent[k] = costs[k].toward(cost.sum / cost.n)
		}
	}
	return func(i int, q []float64) error {
		lo, _ := c.rows.Candidates(i)
		g, worth := int(c.class[i]), 1.0
		if c.amount != nil {
			worth = c.amount[i]
		}
		for j := range q {
			k := c.rows.Action(i, lo+j)
			q[j] = float64(p[g*kinds+k]*worth) - spent[k]
		}
		return nil
	}, nil
}
