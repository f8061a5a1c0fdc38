package experiment

import (
	"fmt"
	"maps"
	"slices"

	"recoup/api/report"
	"recoup/data"
	"recoup/score"
)

// headline is the order of the arms in the first table.
var headline = []string{Ladder, Rules, Model, Explorer, Oracle, Control}

// report builds the report of the worlds' files.
func (j *job) report(worlds []*World, without []*Without) (*Report, error) {
	s := newSample(worlds)
	if len(s.customer) == 0 {
		return nil, data.Faultf(data.ErrTooLittle, "experiment: no case whose 21 days were over: give more cases")
	}
	r := &Report{Version: version, Setting: Setting{Seeds: j.Seeds, Cases: len(s.customer), Customers: s.customers, PerSeed: j.Cases,
		Months: j.Months, Start: j.Start.String(), PolicyID: j.policy().ID(), Gate: score.GateName, ModelID: j.model,
		TrainCases: j.TrainCases, TrainSeed: trainSeed}}
	for _, w := range worlds {
		r.Setting.Unripe += w.Unripe
	}
	arms := map[string]*arm{}
	for _, name := range headline {
		arms[name] = gather(name, worlds)
		r.Arms = append(r.Arms, arms[name].line(s))
	}
	for _, p := range [][2]string{{Model, Rules}, {Explorer, Rules}, {Oracle, Rules}, {Oracle, Model}, {Model, Control}, {Rules, Ladder}, {Model, Ladder}, {Oracle, Ladder}} {
		r.Pairs = append(r.Pairs, between(s, arms[p[0]], arms[p[1]]))
	}
	r.Attribution = attribution(s, arms)
	r.Classes = classes(s, worlds, arms)
	r.Worlds = eachWorld(s, worlds, arms)
	r.Breaches, r.Refusals = breaches(worlds), refusedBy(j.policy(), worlds)
	r.Ablation = ablated(s, worlds, without, arms)
	r.Says = says(r)
	r.Notes = j.notes(r)
	return r, nil
}

// arm is one arm's cases over all worlds.
type arm struct {
	name                                                       string
	recovered, net, cost, retries, wasted, halted, refuse, law []float64
	totals                                                     Counts
	by                                                         map[string]int
	breaches                                                   map[string]int
}

func gather(name string, worlds []*World) *arm {
	a := &arm{name: name, by: map[string]int{}, breaches: map[string]int{}}
	for _, w := range worlds {
		for i := range w.Arms {
			if w.Arms[i].Arm == name {
				a.add(&w.Arms[i], w.Amounts)
			}
		}
	}
	return a
}

func (a *arm) add(w *ArmWorld, amounts []int64) {
	for i, amount := range amounts {
		k := &w.Cases
		a.recovered = append(a.recovered, float64(k.Recovered[i]))
		a.net = append(a.net, float64(k.Recovered[i]*amount-k.Cost[i])) // paise
		a.cost = append(a.cost, float64(k.Cost[i]))
		a.retries = append(a.retries, float64(k.Retries[i]))
		a.wasted = append(a.wasted, float64(k.Wasted[i]))
		a.halted = append(a.halted, float64(k.Halted[i]))
		a.refuse = append(a.refuse, float64(k.Refused[i]))
		a.law = append(a.law, float64(k.Law[i]))
	}
	a.totals.sum(&w.Counts)
	for by, n := range w.By {
		a.by[by] += n
	}
	for rule, n := range w.Breaches {
		a.breaches[rule] += n
	}
}

func (c *Counts) sum(o *Counts) {
	c.Decisions += o.Decisions
	c.Retries += o.Retries
	c.Wasted += o.Wasted
	c.Hopeless += o.Hopeless
	c.Doubles += o.Doubles
	c.Contacts += o.Contacts
	c.Escalations += o.Escalations
	c.Halted += o.Halted
	c.Recovered += o.Recovered
	c.Cost += o.Cost
	c.Law += o.Law
	c.Terms += o.Terms
}

func (a *arm) line(s *sample) ArmLine {
	recovered := 0.0
	for _, v := range a.recovered {
		recovered += v
	}
	return ArmLine{Arm: a.name, Share: wilson(int64(recovered), int64(len(a.recovered))), Totals: a.totals, Net: a.totals.Recovered - a.totals.Cost,
		Measures: measures(s, func(of func(*arm) []float64) func(int) float64 {
			v := of(a)
			return func(i int) float64 { return v[i] }
		}), By: a.by}
}

func between(s *sample, a, b *arm) Pair {
	return Pair{A: a.name, B: b.name, Difference: measures(s, func(of func(*arm) []float64) func(int) float64 {
		x, y := of(a), of(b)
		return func(i int) float64 { return x[i] - y[i] }
	})}
}

// measures takes the mean of each number of a case, as made of an arm or of two.
func measures(s *sample, each func(of func(*arm) []float64) func(i int) float64) Measures {
	m := func(of func(*arm) []float64) report.Estimate { return s.mean(each(of), nil) }
	return Measures{
		Recovered: m(func(a *arm) []float64 { return a.recovered }),
		Net:       m(func(a *arm) []float64 { return a.net }),
		Retries:   m(func(a *arm) []float64 { return a.retries }),
		Wasted:    m(func(a *arm) []float64 { return a.wasted }),
		Halted:    m(func(a *arm) []float64 { return a.halted }),
		Refused:   m(func(a *arm) []float64 { return a.refuse }),
		Law:       m(func(a *arm) []float64 { return a.law }),
	}
}

func attribution(s *sample, arms map[string]*arm) Attribution {
	step := func(name, what, a, b string) Step { return Step{name, what, between(s, arms[a], arms[b])} }
	return Attribution{
		Order: "ladder, then the same ladder inside the gate, then the rules arm, then the model: each step changes one thing on the same cases",
		Steps: []Step{
			step("refusing", "the ladder's own slots, where the gate allows them", Control, Ladder),
			step("timing", "the class table's timing and its links and nudges, nothing learned", Rules, Control),
			step("choosing", "the highest expected value by the model among all that the gate allows", Model, Rules),
		},
		Total: between(s, arms[Model], arms[Ladder]),
	}
}

// breaches lists who broke what, by rule.
func breaches(worlds []*World) []BreachLine {
	lines := map[string]*BreachLine{}
	for _, w := range worlds {
		for _, a := range w.Arms {
			for _, b := range a.Examples {
				l := lines[b.Rule]
				if l == nil {
					l = &BreachLine{Rule: b.Rule, Terms: b.Terms, Arms: map[string]int{},
						Example: fmt.Sprintf("%s, world %d, attempt %s at %s: %s", a.Arm, w.Seed, b.Attempt, b.At, b.Why)}
					lines[b.Rule] = l
				}
				l.Arms[a.Arm] += a.Breaches[b.Rule]
			}
		}
	}
	out := []BreachLine{}
	for _, rule := range slices.Sorted(maps.Keys(lines)) {
		out = append(out, *lines[rule])
	}
	slices.SortStableFunc(out, func(a, b BreachLine) int { return order(a.Terms) - order(b.Terms) })
	return out
}

func order(terms bool) int {
	if terms {
		return 1
	}
	return 0
}

// refusedBy lists the rules of the gate in their order.
func refusedBy(p *score.Policy, worlds []*World) []RuleCount {
	out := []RuleCount{}
	for _, rule := range p.Rules() {
		c := RuleCount{Rule: rule.ID, Arms: map[string]int{}}
		for _, w := range worlds {
			for _, a := range w.Arms {
				if n := a.Refusals[rule.ID]; n > 0 {
					c.Arms[a.Arm] += n
				}
			}
		}
		out = append(out, c)
	}
	return out
}

// ablated compares the arms without a rule with the arms that have it.
func ablated(s *sample, worlds []*World, without []*Without, arms map[string]*arm) []RuleLine {
	out := []RuleLine{}
	if len(without) == 0 {
		return out
	}
	for k, rule := range without[0].Rules {
		line := RuleLine{Rule: rule.Rule}
		for n := range rule.Arms {
			a := &arm{name: rule.Arms[n].Arm, by: map[string]int{}, breaches: map[string]int{}}
			for i, w := range without {
				a.add(&w.Rules[k].Arms[n], worlds[i].Amounts)
			}
			line.Arms = append(line.Arms, WithOut{a.name, a.totals, between(s, a, arms[a.name]).Difference, a.breaches})
		}
		out = append(out, line)
	}
	return out
}
