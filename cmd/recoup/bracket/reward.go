package bracket

import (
	"context"
	"errors"
	"fmt"
	"math"

	"recoup/data"
	"recoup/models"
	"recoup/ope"
	"recoup/train"
)

// Folds is in how many parts the customers are cut: each is predicted by a model
// of the others (cross-fitting; Chernozhukov et al. 2018).
const Folds = 5

// folds are those of some decisions, by customer.
func folds(decisions []Decision, seed uint64) (*ope.Folds, error) {
	names := make([]string, len(decisions))
	for i := range decisions {
		names[i] = decisions[i].CustomerID
	}
	return ope.MakeFolds(names, Folds, fmt.Sprintf("reward model %d", seed))
}

// Reward is a reward model's word on every option of some decisions: parallel to
// the decisions, then to their options.
type Reward struct {
	Name string      // base rate, logistic, or a registered model's
	Says string      // what it is, in words
	P    [][]float64 // P(paid within the horizon)
	Net  [][]float64 // expected net rupees
	Fold []int       // by decision: the fold that it was predicted in; -1 = by a model of other data
	Why  string      // not "": there is no such model, and nothing else is set
}

// penalty is the ridge of the logistic reward model on standardised columns: some
// thousand rows, a hundred columns.
const penalty = 20

// BaseRate says the same of every option: the share that is paid in the other
// folds, less the mean cost of the action.
func BaseRate(decisions []Decision, seed uint64) Reward {
	return crossFit("base rate", "the share paid, the same for all; less the mean cost of the action", decisions, seed, func(keep []int) (func(*Decision, *data.Option) (float64, error), error) {
		paid := 0.0
		for _, i := range keep {
			paid += bit(decisions[i].Recovered)
		}
		p := paid / float64(len(keep))
		return func(*Decision, *data.Option) (float64, error) { return p, nil }, nil
	})
}

// Logistic is a logistic regression of being paid on the state and the option.
func Logistic(ctx context.Context, decisions []Decision, seed uint64, workers int) Reward {
	design := rewardDesign()
	return crossFit("logistic", "logistic regression on class, rail, action, hour, delay, pay day, amount and retries, with products; less the mean cost of the action",
		decisions, seed, func(keep []int) (func(*Decision, *data.Option) (float64, error), error) {
			m, _, err := train.Logistic(ctx, design, train.InMemory(frame(&design, decisions, keep)), "y", "", train.Options{L2: penalty, Standardize: true, Workers: workers})
			if err != nil {
				return nil, err
			}
			var row []float64
			return func(d *Decision, o *data.Option) (float64, error) {
				row = inputsOf(row, d, o)
				return m.Prob(row)
			}, nil
		})
}

// Registered takes an engine's own word, whose model was fitted on earlier data.
// Where its model does not speak of an option, the other's word stands.
func Registered(decisions []Decision, r *Replayed, other Reward) Reward {
	out := Reward{Name: r.Name, Says: "the registered model's own expected value; where it does not speak, " + other.Name}
	for i := range decisions {
		p, net := append([]float64(nil), other.P[i]...), append([]float64(nil), other.Net[i]...)
		for j := range r.P[i] {
			if !math.IsNaN(r.P[i][j]) {
				p[j], net[j] = r.P[i][j], r.Worth[i][j]
			}
		}
		out.P, out.Net, out.Fold = append(out.P, p), append(out.Net, net), append(out.Fold, -1)
	}
	return out
}

// fitter makes a model of P(paid) from some decisions.
type fitter func(keep []int) (func(*Decision, *data.Option) (float64, error), error)

func crossFit(name, says string, decisions []Decision, seed uint64, fit fitter) Reward {
	out := Reward{Name: name, Says: says, P: make([][]float64, len(decisions)), Net: make([][]float64, len(decisions)), Fold: make([]int, len(decisions))}
	f, err := folds(decisions, seed)
	if err != nil {
		return Reward{Name: name, Why: err.Error()}
	}
	for i := range decisions {
		out.Fold[i] = int(f.Of[i])
	}
	for k := range Folds {
		var keep []int
		for i := range decisions {
			if out.Fold[i] != k {
				keep = append(keep, i)
			}
		}
		prob, err := fit(keep)
		if err == nil {
			err = out.predict(decisions, k, prob, costs(decisions, keep))
		}
		if err != nil {
			return Reward{Name: name, Why: fmt.Sprintf("fold %d of %d: %v", k+1, Folds, err)}
		}
	}
	return out
}

func (r *Reward) predict(decisions []Decision, fold int, prob func(*Decision, *data.Option) (float64, error), cost [8]float64) error {
	for i := range decisions {
		if r.Fold[i] != fold {
			continue
		}
		d := &decisions[i]
		r.P[i], r.Net[i] = make([]float64, len(d.Options)), make([]float64, len(d.Options))
		for j := range d.Options {
			o := &d.Options[j]
			p, err := prob(d, o)
			if err != nil {
				return err
			}
			r.P[i][j], r.Net[i][j] = p, float64(p*float64(d.Amount)/100)-cost[o.Action]
		}
	}
	return nil
}

// costs are the mean costs in rupees by action, shrunk by ten decisions toward the
// mean of all.
func costs(decisions []Decision, keep []int) (out [8]float64) {
	var n [8]float64
	all := 0.0
	for _, i := range keep {
		d := &decisions[i]
		a := d.Options[d.Chosen].Action
		n[a]++
		out[a] += float64(d.Cost) / 100
		all += float64(d.Cost) / 100
	}
	all /= float64(len(keep))
	for a := range out {
		out[a] = (out[a] + 10*all) / (n[a] + 10)
	}
	return out
}

// Grade is how a reward model did on what was taken.
type Grade struct {
	Name     string          `json:"name"`
	Says     string          `json:"says"`
	Why      string          `json:"not_assessed,omitempty"` // there is no such model
	Rows     int             `json:"rows"`
	Brier    *float64        `json:"brier"`
	Skill    *float64        `json:"brier_skill"` // against the base rate of the other folds
	AUC      *float64        `json:"roc_auc"`
	MSE      *float64        `json:"mean_squared_error"` // of net rupees
	Used     bool            `json:"used"`
	ByAction []ActionGrade   `json:"by_action"`
	Metrics  *models.Metrics `json:"-"`
}

// ActionGrade holds calibration within one action.
type ActionGrade struct {
	Action string  `json:"action"`
	Rows   int     `json:"rows"`
	MeanP  float64 `json:"mean_p"`
	Rate   float64 `json:"rate"`
}

// Choose grades the reward models on some decisions of a log and picks the one with the
// lowest squared error of net rupees; equal ones: the earlier. The base rate comes
// first, so that a model must be better than knowing nothing.
func Choose(l *Log, keep []int, models ...Reward) (best int, grades []Grade, err error) {
	best = -1
	base := math.NaN()
	for k := range models {
		g, err := models[k].grade(l.Decisions, keep)
		if err != nil {
			return -1, nil, err
		}
		if g.MSE != nil {
			if math.IsNaN(base) {
				base = *g.Brier
			}
			skill := 0.0
			if base > 0 {
				skill = 1 - *g.Brier/base
			}
			g.Skill = &skill
			if best < 0 || *g.MSE < *grades[best].MSE {
				best = k
			}
		}
		grades = append(grades, g)
	}
	if best < 0 {
		return -1, grades, errors.New("ope: no reward model could be made")
	}
	grades[best].Used = true
	return best, grades, nil
}

func (r *Reward) grade(decisions []Decision, keep []int) (Grade, error) {
	g := Grade{Name: r.Name, Says: r.Says, Why: r.Why}
	if r.Why != "" {
		return g, nil
	}
	p, y := make([]float64, len(keep)), make([]float64, len(keep))
	mse := 0.0
	by := map[data.Action]*ActionGrade{}
	for k, i := range keep {
		d := &decisions[i]
		p[k], y[k] = min(1, max(0, r.P[i][d.Chosen])), bit(d.Recovered)
		e := d.Net() - r.Net[i][d.Chosen]
		mse += float64(e * e)
		a := d.Options[d.Chosen].Action
		if by[a] == nil {
			by[a] = &ActionGrade{Action: a.String()}
		}
		by[a].Rows++
		by[a].MeanP += p[k]
		by[a].Rate += y[k]
	}
	m, err := models.Evaluate(p, y, nil)
	if err != nil {
		return g, fmt.Errorf("ope: reward model %s: %w", r.Name, err)
	}
	mse /= float64(len(keep))
	g.Rows, g.Brier, g.AUC, g.MSE, g.Metrics = len(keep), &m.Brier, m.AUC, &mse, &m
	for _, a := range data.Actions() {
		if x := by[a]; x != nil {
			x.MeanP /= float64(x.Rows)
			x.Rate /= float64(x.Rows)
			g.ByAction = append(g.ByAction, *x)
		}
	}
	return g, nil
}
