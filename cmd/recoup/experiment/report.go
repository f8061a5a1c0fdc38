package experiment

import (
	"fmt"
	"maps"
	"slices"

	"recoup/api/report"
	"recoup/cmd/recoup/experiment/paired"
	"recoup/data"
	"recoup/score"
)

// report builds the report of the worlds' files.
func (j *job) report(worlds []*World, without []*Without) (*Report, error) {
	s := sampleOf(worlds)
	if s.Cases() == 0 {
		return nil, data.Faultf(data.ErrTooLittle, "experiment: no case whose 21 days were over: give more cases")
	}
	r := &Report{Version: version, Setting: Setting{Seeds: j.Seeds, Cases: s.Cases(), Customers: s.Customers(), PerSeed: j.Cases,
		Months: j.Months, Start: j.Start.String(), PolicyID: j.policy().ID(), Gate: score.GateName, ModelID: j.model.id(),
		TrainCases: j.TrainCases, TrainSeed: trainSeed}, Absent: []Absent{}}
	for _, w := range worlds {
		r.Setting.Unripe += w.Unripe
	}
	arms := map[string]*arm{}
	for _, h := range j.normal.Hands {
		arms[h.Name] = gather(h.Name, worlds)
		r.Arms = append(r.Arms, arms[h.Name].line(s))
	}
	for _, absent := range []struct {
		name string
		from *lesson
	}{{RulesTaught, j.taught}, {Forest, j.forest}} {
		if absent.from.Bundle == nil {
			r.Absent = append(r.Absent, Absent{absent.name, absent.from.Why})
		}
	}
	for _, p := range [][2]string{{Model, Rules}, {Model, PayDay}, {Model, Control}, {Model, Unlearned}, {RulesTaught, Unlearned}, {Model, RulesTaught}, {Forest, Model}, {RulesTaught, Rules}, {Unlearned, Rules}, {Unlearned, Control}, {PayDay, Rules}, {Bandit, Rules}, {Model, Bandit}, {Corrected, Rules}, {Corrected, Model}, {Explorer, Rules}, {Explorer, Control}, {Explorer, Unlearned},
		{Oracle, Rules}, {Oracle, Model}, {Rules, Ladder}, {Model, Ladder}, {Oracle, Ladder}} {
		if arms[p[0]] != nil && arms[p[1]] != nil {
			r.Pairs = append(r.Pairs, between(s, arms[p[0]], arms[p[1]]))
		}
	}
	r.Attribution = attribution(s, arms)
	r.Economics = economics(s, arms)
	r.Segments = segments(s, worlds, arms)
	r.Classes = classes(s, worlds, arms)
	r.Worlds = eachWorld(s, worlds, arms)
	r.Breaches, r.Refusals = breaches(worlds), refusedBy(j.policy(), worlds)
	r.Ablation = ablated(s, worlds, without, arms)
	return r, nil
}

// arm is one arm's cases over all worlds.
type arm struct {
	name                                                               string
	recovered, net, cost, retries, wasted, halted, unpaid, refuse, law []float64
	totals                                                             Counts
	by                                                                 map[string]int
	breaches                                                           map[string]int
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
		a.unpaid = append(a.unpaid, float64(k.Halted[i]*amount)) // paise a month
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

func (a *arm) line(s *paired.Sample) ArmLine {
	recovered, unpaid := 0.0, 0.0
	for i, v := range a.recovered {
		recovered += v
		unpaid += a.unpaid[i]
	}
	return ArmLine{Arm: a.name, Share: paired.Wilson(int64(recovered), int64(len(a.recovered))), Totals: a.totals, Net: a.totals.Recovered - a.totals.Cost, Unpaid: int64(unpaid),
		Measures: measures(s, func(of func(*arm) []float64) func(int) float64 {
			v := of(a)
			return func(i int) float64 { return v[i] }
		}), By: a.by}
}

func between(s *paired.Sample, a, b *arm) Pair {
	return Pair{A: a.name, B: b.name, Test: s.Test(func(i int) float64 { return a.net[i] - b.net[i] },
		func(i int) float64 { return a.net[i] + a.cost[i] - b.net[i] - b.cost[i] }),
		Difference: measures(s, func(of func(*arm) []float64) func(int) float64 {
			x, y := of(a), of(b)
			return func(i int) float64 { return x[i] - y[i] }
		})}
}

// measures takes the mean of each number of a case, as made of an arm or of two.
func measures(s *paired.Sample, each func(of func(*arm) []float64) func(i int) float64) Measures {
	m := func(of func(*arm) []float64) report.Estimate { return s.Mean(each(of), nil) }
	return Measures{
		Recovered: m(func(a *arm) []float64 { return a.recovered }),
		Net:       m(func(a *arm) []float64 { return a.net }),
		Retries:   m(func(a *arm) []float64 { return a.retries }),
		Wasted:    m(func(a *arm) []float64 { return a.wasted }),
		Halted:    m(func(a *arm) []float64 { return a.halted }),
		Unpaid:    m(func(a *arm) []float64 { return a.unpaid }),
		Refused:   m(func(a *arm) []float64 { return a.refuse }),
		Law:       m(func(a *arm) []float64 { return a.law }),
	}
}

// attribution goes from arm to arm, one thing at a time; a model that did not come
// about is passed over.
func attribution(s *paired.Sample, arms map[string]*arm) Attribution {
	out := Attribution{Order: "the ladder, the same ladder inside the gate, the rules, the rules on the customer's own pay day, the engine with nothing learned, a model of the rules' own log, a model of the explorer's log: each step changes one thing on the same cases",
		Total: between(s, arms[Model], arms[Ladder])}
	from := Ladder
	for _, step := range []struct{ name, what, to string }{
		{"refusing", "the ladder's own slots, where the gate allows them", Control},
		{"timing by hand", "the class table's timing and its links and nudges, nothing learned", Rules},
		{"the own pay day", "the same on the customer's own pay day", PayDay},
		{"reckoning", "the highest expected value when nothing is learned: each retry has one chance in two", Unlearned},
		{"learning", "the same by a model that saw nothing but what the rules do", RulesTaught},
		{"exploring", "the same by a model of a log in which the explorer tried what the gate allows", Model},
	} {
		if arms[step.to] != nil {
			out.Steps = append(out.Steps, Step{step.name, step.what, between(s, arms[step.to], arms[from])})
			from = step.to
		}
	}
	return out
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
func ablated(s *paired.Sample, worlds []*World, without []*Without, arms map[string]*arm) []RuleLine {
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
