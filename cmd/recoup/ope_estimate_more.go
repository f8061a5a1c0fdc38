package main

import (
	"fmt"
	"strconv"
	"strings"

	"recoup/data"
	"recoup/ope"
)

// opeEstimateResult is what ope estimate prints of rows.
type opeEstimateResult struct {
	*ope.Result
	Draws       int                        `json:"bootstrap_draws"` // behind ci_bootstrap; 0 = none were made
	Sweep       map[string][]ope.Swept     `json:"sweep,omitempty"`
	Tuning      map[string]opeTuned        `json:"tuning,omitempty"`
	Sensitivity map[string][]sensitivityAt `json:"sensitivity,omitempty"`
	Safe        map[string]*ope.Safe       `json:"safe,omitempty"`
}

type sensitivityAt = *ope.Sensitivity

// opeTuned are the lambdas that the two tuners pick.
type opeTuned struct {
	SLOPE    *ope.Tuning `json:"slope"`
	MSEBound *ope.Tuning `json:"mse_bound"`
}

// The grid of the tuners (Saito et al. 2021) and their confidence.
var tuningGrid = []float64{1, 5, 10, 50, 100, 500, 1000, 5000, 10000}

const tuningDelta = 0.1

// more adds what was asked for beside the estimates.
func (c *opeEstimateCmd) more(r *ope.Result) (*opeEstimateResult, error) {
	out := &opeEstimateResult{Result: r, Draws: c.draws()}
	if c.draws() > 0 {
		if _, err := r.Bootstrap(ope.Bootstrap{Draws: c.draws(), Seed: c.seed(), Level: c.Level}); err != nil {
			return nil, err
		}
	}
	if c.Sweep {
		if err := out.sweep(); err != nil {
			return nil, err
		}
	}
	if len(c.Factor) > 0 {
		out.Sensitivity = map[string][]sensitivityAt{}
		for _, m := range ope.Standard() {
			if m.Shape != ope.AsIs || m.Family == ope.Direct {
				continue
			}
			for _, g := range c.Factor {
				s, err := r.Sensitivity(m, g)
				if err != nil {
					return nil, err
				}
				if s != nil {
					out.Sensitivity[m.Name] = append(out.Sensitivity[m.Name], s)
				}
			}
		}
	}
	if c.Range != "" {
		lo, hi, err := twoNumbers(c.Range)
		if err != nil {
			return nil, data.Faultf(data.ErrUsage, "ope estimate: --range %q: %w", c.Range, err)
		}
		out.Safe = map[string]*ope.Safe{}
		for _, m := range ope.Standard() {
			if m.Shape != ope.Clip {
				continue
			}
			if out.Safe[m.Name], err = r.Safe(m, lo, hi); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// sweep shows every lambda, and what the tuners would take.
func (out *opeEstimateResult) sweep() error {
	out.Sweep, out.Tuning = map[string][]ope.Swept{}, map[string]opeTuned{}
	for _, m := range []ope.Method{
		{Name: "ipw_clip", Family: ope.Weighted, Shape: ope.Clip}, {Name: "dr_clip", Family: ope.DoublyRobust, Shape: ope.Clip},
		{Name: "switch_dr", Family: ope.DoublyRobust, Shape: ope.Switch}, {Name: "dros", Family: ope.DoublyRobust, Shape: ope.Shrink},
		{Name: "sg_ipw", Family: ope.Weighted, Shape: ope.SubGaussian}, {Name: "sg_dr", Family: ope.DoublyRobust, Shape: ope.SubGaussian},
	} {
		swept, err := out.Result.Sweep(m.Family, m.Shape, nil)
		if err != nil {
			return err
		}
		out.Sweep[m.Name] = swept
		if swept[0].Figure.Value == nil || out.N < 2 {
			continue
		}
		grid := tuningGrid
		if m.Shape == ope.SubGaussian {
			grid = m.Shape.Lambdas()
		}
		var t opeTuned
		if t.SLOPE, err = out.SLOPE(m, grid, tuningDelta); err != nil {
			return err
		}
		if t.MSEBound, err = out.MSEBound(m, grid, tuningDelta); err != nil {
			return err
		}
		out.Tuning[m.Name] = t
	}
	return nil
}

// twoNumbers reads "lo,hi".
func twoNumbers(text string) (lo, hi float64, err error) {
	a, b, ok := strings.Cut(text, ",")
	if lo, err = strconv.ParseFloat(strings.TrimSpace(a), 64); err == nil && ok {
		hi, err = strconv.ParseFloat(strings.TrimSpace(b), 64)
	}
	if err != nil || !ok {
		return 0, 0, fmt.Errorf("two numbers with a comma between them are expected, like 0,1")
	}
	return lo, hi, nil
}
