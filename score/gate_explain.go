package score

import (
	"fmt"
	"slices"

	"recoup/data"
	"recoup/features"
)

// Verdict is what one rule says about a case, whatever the others say.
type Verdict struct {
	Rule, Why, Source string
	InForce           bool          // at the decision's time
	Silent            bool          // what it needs is not known, or no number of it holds
	Actions           []data.Action // refused at any time
	Times             []Candidates  // refused at some times; by action
	Route             data.Route    // what becomes of it; 0 = it waits
	Says              string        // about this case, in words
}

// Candidates counts candidates of one action.
type Candidates struct {
	Action      data.Action
	N           int // of so many
	Of          int
	First, Last data.Micros
}

// Explanation is every rule's verdict on a case, and what remains.
type Explanation struct {
	Facts     features.Facts
	At        data.Micros // the decision's time
	PolicyID  string
	Treated   data.Class // the class that the case is treated as
	Rules     []Verdict  // in order
	Allowed   []Choice   // waiting first, then by action and time
	Refusals  []Refusal  // by the first rule that refuses
	Unchecked []string   // what the facts do not let the gate check
}

// Explain asks every rule about a case. t is the decision's time.
func (p *Policy) Explain(f *features.Facts, t data.Micros) Explanation {
	s := situationOf(p, f, t)
	out := Explanation{Facts: *f, At: t, PolicyID: p.id, Treated: s.treatedAs(), Unchecked: s.unchecked()}
	var d Decision
	s.candidates(&d, nil)
	out.Allowed, out.Refusals = d.Allowed, d.Refusals
	times := map[data.Action][]data.Micros{}
	for _, a := range data.Actions()[1:] {
		times[a] = s.slots(a, nil)
	}
	for i := range p.rules {
		out.Rules = append(out.Rules, s.verdict(&p.rules[i], times))
	}
	return out
}

// verdict asks one rule about every action and time.
func (s *situation) verdict(r *statedRule, times map[data.Action][]data.Micros) Verdict {
	v := Verdict{Rule: r.ID, Why: s.why(&r.Rule), Source: r.Source, InForce: r.inForce(s.t)}
	for _, a := range data.Actions()[1:] {
		if r.refuses != nil && v.InForce {
			if route, refused := r.refuses(s, &s.now, a); refused {
				v.Actions, v.Route = append(v.Actions, a), max(v.Route, s.routed(route))
				continue
			}
		}
		c := Candidates{Action: a, Of: len(times[a])}
		for _, at := range times[a] {
			route, refused := s.refusesThen(r, s.limits(at), data.Candidate{Action: a, At: at})
			if !refused {
				continue
			}
			if c.N == 0 {
				c.First = at
			}
			c.N, c.Last, v.Route = c.N+1, at, max(v.Route, s.routed(route))
		}
		if c.N > 0 {
			v.Times = append(v.Times, c)
		}
	}
	v.Says, v.Silent = ruleWords[r.ID](s, &s.now)
	return v
}

// Facts are those of the request's case at a decision time, not before as_of.
func (r *Request) Facts(t data.Micros) (features.Facts, error) {
	if r == nil || r.state == nil {
		return features.Facts{}, data.Faultf(data.ErrUsage, "score: a request comes from ParseRequest")
	}
	if t < r.AsOf.KnownAt {
		return features.Facts{}, data.Faultf(data.ErrUsage, "score: case %s: %s is before as_of, %s: what was known then cannot be told; send the case with an earlier as_of", r.CaseID, t, r.AsOf.KnownAt)
	}
	return r.state.Facts(r.CaseID, t)
}

// unchecked says what the gate cannot check, because the facts do not tell it.
func (s *situation) unchecked() (out []string) {
	if !s.Owed || s.Class == 0 {
		return nil
	}
	note := func(is bool, format string, args ...any) {
		if is {
			out = append(out, "not checked: "+fmt.Sprintf(format, args...))
		}
	}
	note(s.Mandate == 0, "the mandate's state, cap and end: no mandate of this charge is known")
	note(s.Mandate != 0 && s.MandateMax == 0, "the mandate's own cap: it is not known")
	note(s.Mandate != 0 && s.MandateCreated == 0 && s.now[freshMandate] != silent, "the rest of a new mandate: when it was created is not known")
	note(s.Rail == data.Card && s.Network == 0, "the card network's retry rules: the network is not known")
	note(s.Rail == data.Card && s.knowsCodes() && s.Response == features.Code{} && s.Advice == features.Code{},
		"the codes of %s that forbid a retry: the failure carries no response or advice code", s.Network)
	note(s.Rail == data.UPIAutopay && !s.cycleKnown(), "the one debit of a cycle, and its last day: no cycle of this charge is known")
	note(s.Rail == data.EMandate && s.t.ISTDay()+int64(s.policy.gridDays) > s.policy.lastHoliday(s.Rail), "bank holidays after %s: the policy lists none; the cut-off and the days without clearing of each week are checked", s.policy.lastHolidayDate(s.Rail))
	return out
}

// knowsCodes says whether the policy has codes of the card's network.
func (s *situation) knowsCodes() bool {
	return slices.ContainsFunc(s.policy.stops, func(r stop) bool { return r.network == s.Network })
}

// lastHoliday is the last day of the last year that the policy lists holidays of.
func (p *Policy) lastHoliday(r data.Rail) (last int64) {
	for i := range p.holidays {
		if c := &p.holidays[i]; c.rail == r && len(c.days) > 0 {
			y, _, _ := (data.Micros(c.days[len(c.days)-1])*data.Day - data.ISTOffset).ISTDate()
			last = max(last, data.IST(y+1, 1, 1, 0, 0).ISTDay()-1)
		}
	}
	return last
}

func (p *Policy) lastHolidayDate(r data.Rail) string {
	return (data.Micros(p.lastHoliday(r)) * data.Day).UTCDate()
}
