package experiment

import (
	"cmp"
	"context"
	"slices"

	"recoup/cmd/recoup/experiment/paired"
	"recoup/data/sim"
	"recoup/score"
)

// The arms, in the order of the headline table.
const (
	Ladder      = "ladder"       // outside the gate
	Control     = "control"      // the ladder inside the gate
	Rules       = "rules"        // hand-written timing
	PayDay      = "payday"       // the rules, but on the customer's own pay day
	Unlearned   = "unlearned"    // the highest expected value when nothing is learned: each retry has one chance in two
	RulesTaught = "rules_taught" // the highest expected value, by a model of the rules' own log
	Model       = "model"        // the same by a model of the explorer's log
	Forest      = "lightgbm"     // the same by a LightGBM model of that log
	Bandit      = "bandit"       // the rules, but when is drawn by what has paid before
	Corrected   = "corrected"    // the model, corrected while it plays by a logistic bandit
	Explorer    = "explorer"     // drawn from what the gate allows
	Oracle      = "oracle"       // knows p_true; inside the gate
)

// World is what a world's file holds: the cases whose 21 days are over, and how
// each arm left them.
type World struct {
	Input     string     `json:"input"` // hash of all that decides this file
	Seed      uint64     `json:"seed"`
	Unripe    int        `json:"unripe"`   // cases left out: their 21 days were not over
	Customers []int      `json:"customer"` // of each case, numbered within the world
	Classes   []string   `json:"class"`    // of each case: that of its first failure, "" = not reported
	Amounts   []int64    `json:"amount_paise"`
	Rails     []string   `json:"rail"`
	Banks     []string   `json:"bank"`
	Days      []int      `json:"day_of_month"` // of each case: on which its first failure became known, in India
	Arms      []ArmWorld `json:"arms"`
}

// ArmWorld is one arm in one world.
type ArmWorld struct {
	Arm      string         `json:"arm"`
	Cases    PerCase        `json:"cases"`
	Counts   Counts         `json:"counts"`
	Refusals map[string]int `json:"refusals"` // decisions in which the rule refused something
	Breaches map[string]int `json:"breaches"` // by rule, law and terms
	Examples []Breach       `json:"examples"` // the first of each rule
	By       map[string]int `json:"recovered_by"`
}

// PerCase holds a number of each case, in the order of World.Customers.
type PerCase struct {
	Recovered []int64 `json:"recovered"` // 0 or 1
	Cost      []int64 `json:"cost_paise"`
	Retries   []int64 `json:"retries"`
	Wasted    []int64 `json:"wasted"`
	Halted    []int64 `json:"halted"`  // 0 or 1
	Refused   []int64 `json:"refused"` // decisions in which the gate refused something
	Law       []int64 `json:"breaches_of_law"`
}

// Counts are sums over the cases.
type Counts struct {
	Decisions   int   `json:"decisions"`
	Retries     int   `json:"retries"`
	Wasted      int   `json:"wasted"`   // retries that did not capture
	Hopeless    int   `json:"hopeless"` // retries with less than one chance in a hundred
	Doubles     int   `json:"doubles"`  // retries that took money which had come already, and were refunded
	Contacts    int   `json:"contacts"`
	Escalations int   `json:"escalations"`
	Halted      int   `json:"halted"` // unpaid with all attempts spent
	Recovered   int64 `json:"recovered_paise"`
	Cost        int64 `json:"cost_paise"`
	Law         int   `json:"breaches_of_law"`
	Terms       int   `json:"breaches_of_terms"`
}

// sampleOf numbers the customers of the worlds.
func sampleOf(worlds []*World) *paired.Sample {
	var customers [][]int
	for _, w := range worlds {
		customers = append(customers, w.Customers)
	}
	return paired.New(customers)
}

// refusals counts the decisions in which the gate refused something.
type refusals struct {
	byRule map[string]int
	byCase map[string]int64
}

func newRefusals() *refusals { return &refusals{map[string]int{}, map[string]int64{}} }

func (r *refusals) count(_ *sim.Turn, d *score.Decision) {
	if len(d.Refusals) > 0 {
		r.byCase[d.CaseID]++
	}
	seen := map[string]bool{}
	for _, x := range d.Refusals {
		if !seen[x.Rule] {
			seen[x.Rule] = true
			r.byRule[x.Rule]++
		}
	}
}

// play adds one arm to the world's file.
func (w *World) play(ctx context.Context, stage *sim.Stage, name string, d sim.Decider, refused *refusals) error {
	var rows Rows
	_, results, err := stage.Play(ctx, d, func(b *sim.Batch) error {
		rows.Attempts = append(rows.Attempts, b.Attempts...)
		rows.CaseEvents = append(rows.CaseEvents, b.CaseEvents...)
		rows.Subscriptions = append(rows.Subscriptions, b.Subscriptions...)
		rows.Mandates = append(rows.Mandates, b.Mandates...)
		rows.Notices = append(rows.Notices, b.Notices...)
		return nil
	})
	if err != nil {
		return err
	}
	if w.Classes == nil {
		w.describe(results)
	}
	a := ArmWorld{Arm: name, Refusals: refused.byRule, Breaches: map[string]int{}, By: map[string]int{}, Examples: []Breach{}}
	law := map[string]int64{}
	for _, b := range Breaches(rows) {
		if b.Terms {
			a.Counts.Terms++
		} else {
			a.Counts.Law++
			law[b.Case]++
		}
		if a.Breaches[b.Rule]++; a.Breaches[b.Rule] == 1 {
			a.Examples = append(a.Examples, b)
		}
	}
	slices.SortFunc(a.Examples, func(x, y Breach) int { return cmp.Compare(x.Rule, y.Rule) })
	for i := range results {
		if r := &results[i]; r.Mature {
			a.add(r, refused.byCase[r.CaseID], law[r.CaseID])
		}
	}
	w.Arms = append(w.Arms, a)
	return nil
}

// describe describes the cases: they are the same for every arm.
func (w *World) describe(results []sim.CaseResult) {
	number := map[string]int{}
	w.Classes = []string{}
	for _, r := range results {
		if !r.Mature {
			w.Unripe++
			continue
		}
		n, ok := number[r.CustomerID]
		if !ok {
			n = len(number)
			number[r.CustomerID] = n
		}
		w.Customers = append(w.Customers, n)
		w.Classes = append(w.Classes, r.Class.String())
		w.Amounts = append(w.Amounts, int64(r.Amount))
		_, _, day := r.Since.ISTDate()
		w.Rails, w.Banks, w.Days = append(w.Rails, r.Rail.String()), append(w.Banks, r.Bank), append(w.Days, day)
	}
}

// add counts how the arm left a case.
func (a *ArmWorld) add(r *sim.CaseResult, refused, law int64) {
	c, k := &a.Counts, &a.Cases
	recovered, halted := int64(0), int64(0)
	if r.Recovered {
		recovered = 1
		c.Recovered += int64(r.Amount)
		a.By[r.By]++
	}
	if r.Halted {
		halted = 1
		c.Halted++
	}
	k.Recovered, k.Cost, k.Retries = append(k.Recovered, recovered), append(k.Cost, int64(r.Cost)), append(k.Retries, int64(r.Retries))
	k.Wasted, k.Halted = append(k.Wasted, int64(r.Failed)), append(k.Halted, halted)
	k.Refused, k.Law = append(k.Refused, refused), append(k.Law, law)
	c.Decisions += r.Decisions
	c.Retries += r.Retries
	c.Wasted += r.Failed
	c.Hopeless += r.Hopeless
	c.Doubles += r.Doubles
	c.Contacts += r.Contacts
	c.Escalations += r.Escalations
	c.Cost += int64(r.Cost)
}
