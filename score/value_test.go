package score

import (
	"math"
	"slices"
	"strings"
	"testing"

	"recoup/data"
	"recoup/features"
	"recoup/models"
)

// everyAction is a reason whose class allows retries, links and a nudge.
var everyAction = data.MustReason("insufficient_funds")

// naive is P of a candidate written down from the definition: the model is asked
// for the whole row of every day.
func naive(t *testing.T, b *models.Bundle, p *features.Past, now data.Micros, c *Choice) float64 {
	t.Helper()
	var contacts []features.Contact
	if c.Action == data.PaymentLink || c.Action == data.Nudge {
		contacts = append(contacts, features.Contact{At: c.At, Action: c.Action})
	}
	unpaid := 1.0
	for day := range 21 {
		from, to := failedAt+data.Micros(day)*data.Day, failedAt+data.Micros(day+1)*data.Day
		if to <= now {
			continue
		}
		row, err := p.CureRow(nil, day, contacts)
		must(t, err)
		h, err := b.Hazard(row)
		must(t, err)
		unpaid *= math.Pow(1-h, float64(to-max(from, now))/float64(data.Day))
	}
	if c.Action == data.Retry {
		row, err := p.AttemptRow(nil, data.Candidate{Action: data.Retry, At: c.At})
		must(t, err)
		q, err := b.Capture(row)
		must(t, err)
		unpaid *= 1 - q
	}
	return 1 - unpaid
}

func TestValueEqualsDefinition(t *testing.T) {
	b := testBundle(t, map[string]float64{"day_last_link": -0.3, "day_last_nudge": -0.2})
	for _, after := range []data.Micros{0, 1, data.Hour, 5 * data.Day, 5*data.Day + 11*data.Hour, 20*data.Day + 23*data.Hour, 21*data.Day - 1} {
		l, now := failure(everyAction), failedAt+after
		d := l.decide(t, engine(t, b), now)
		past, err := l.state(t).Past("case", now)
		must(t, err)
		seen := map[data.Action]int{}
		for i := range d.Allowed {
			c := &d.Allowed[i]
			seen[c.Action]++
			if c.Action == data.Escalate {
				if c.P != nil {
					t.Errorf("P of an escalation: %v", *c.P)
				}
				continue
			}
			want := naive(t, b, past, now, c)
			if math.Abs(*c.P-want) > 1e-12 {
				t.Errorf("+%v: %s at %s: P %v, by definition %v", after, c.Action, c.At, *c.P, want)
			}
			if *c.Uplift != *c.P-*d.Allowed[0].P || *c.EV != share(*c.Uplift, d.Amount)+c.Later-c.Opportunity-c.Cost-c.Fatigue {
				t.Errorf("+%v: %s at %s: uplift %v, EV %s", after, c.Action, c.At, *c.Uplift, *c.EV)
			}
		}
		if *d.Allowed[0].EV != 0 || d.Arm != data.ArmModel || d.ModelID != string(b.ID) {
			t.Errorf("+%v: waiting is worth %s; arm %s, model %s", after, *d.Allowed[0].EV, d.Arm, d.ModelID)
		}
		if after == 0 && (seen[data.Retry] < 40 || seen[data.PaymentLink] < 14 || seen[data.Nudge] < 14) {
			t.Errorf("candidates %v: too few to tell", seen)
		}
	}
}

// Right at the failure waiting is worth the bundle's own F0, bit for bit.
func TestWaitIsF0(t *testing.T) {
	b, l := testBundle(t, nil), failure(everyAction)
	past, err := l.state(t).Past("case", failedAt)
	must(t, err)
	var days [][]float64
	for day := range 21 {
		row, err := past.CureRow(nil, day, nil)
		must(t, err)
		days = append(days, row)
	}
	curve, err := b.F0(days)
	must(t, err)
	if d := l.decide(t, engine(t, b), failedAt); *d.Allowed[0].P != curve[20] || curve[20] < 0.05 {
		t.Errorf("P of waiting %v, F0 %v", *d.Allowed[0].P, curve[20])
	}
}

// Without a cure model waiting recovers nothing, links have no probability, and
// where the class allows no retry the rules arm answers.
func TestNoCureModel(t *testing.T) {
	b := noCure(testBundle(t, nil))
	d := failure(everyAction).decide(t, engine(t, b), failedAt)
	for _, c := range d.Allowed {
		if c.Action == data.Wait && *c.P != 0 || (c.P != nil) != (c.Action == data.Wait || c.Action == data.Retry) {
			t.Errorf("%s: P %v", c.Action, c.P)
		}
	}
	if d.Arm != data.ArmModel || d.Allowed[d.Chosen].Action != data.Retry || !warns(&d, "cure model is not assessed (no person-time)") {
		t.Errorf("%s, %s, %v", d.Arm, d.Allowed[d.Chosen].Action, d.Warnings)
	}
	d = failure(data.MustReason("card_expired")).decide(t, engine(t, b), failedAt)
	if d.Arm != data.ArmRules || d.Allowed[d.Chosen].Action != data.PaymentLink || !warns(&d, "speaks of retries only") {
		t.Errorf("%s, %s, %v", d.Arm, d.Allowed[d.Chosen].Action, d.Warnings)
	}
}

// A model that fails on any candidate says nothing at all: the rules arm answers
// and says why.
func TestFailingModel(t *testing.T) {
	for name, breaks := range map[string]func(*models.Bundle){
		"logit overflows": func(b *models.Bundle) {
			i := slices.Index(b.Attempt.Logistic.Columns(), "cand_delay")
			b.Attempt.Logistic.Coef[i] = math.MaxFloat64
		},
		"platt is NaN":  func(b *models.Bundle) { b.Attempt.Platt.B = math.NaN() },
		"hazard is NaN": func(b *models.Bundle) { b.Cure.Platt.B = math.NaN() },
		"wrong width":   func(b *models.Bundle) { b.Cure.Logistic.Inputs = b.Cure.Logistic.Inputs[1:] },
	} {
		b := testBundle(t, nil)
		breaks(b)
		d := failure(everyAction).decide(t, engine(t, b), failedAt)
		if d.Arm != data.ArmRules || !warns(&d, "the model failed, so the rules arm answers") {
			t.Errorf("%s: %s, %v", name, d.Arm, d.Warnings)
		}
		for _, c := range d.Allowed {
			if c.P != nil || c.EV != nil {
				t.Errorf("%s: %s has P %v, EV %v", name, c.Action, c.P, c.EV)
			}
		}
		if strings.HasPrefix(name, "hazard") { // and where waiting and contacts alone are asked about
			if d := failure(data.MustReason("card_expired")).decide(t, engine(t, b), failedAt); d.Arm != data.ArmRules || d.Allowed[d.Chosen].Action != data.PaymentLink {
				t.Errorf("%s: %s by %s", name, d.Allowed[d.Chosen].Action, d.Arm)
			}
		}
		if c := d.Allowed[d.Chosen]; c.Action != data.Retry || c.At != data.IST(2026, 2, 27, 8, 0) {
			t.Errorf("%s: chosen %s at %s", name, c.Action, c.At)
		}
	}
}

// A model of other columns or of a shorter horizon is refused.
func TestNewRefuses(t *testing.T) {
	for name, breaks := range map[string]func(*models.Bundle){
		"attempt schema": func(b *models.Bundle) { b.Manifest.AttemptSchema = b.Manifest.DataManifest },
		"cure schema":    func(b *models.Bundle) { b.Manifest.CureSchema = b.Manifest.DataManifest },
		"horizon":        func(b *models.Bundle) { b.Manifest.HorizonDays = 20.5 },
	} {
		b := testBundle(t, nil)
		breaks(b)
		if _, err := New(Default(), b); err == nil || !strings.Contains(err.Error(), strings.Split(name, " ")[0]) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := New(nil, nil); err == nil {
		t.Error("no policy went through")
	}
}

// What one slot costs in memory does not grow with the number of slots.
func TestSlotsDoNotAllocate(t *testing.T) {
	b, s := testBundle(t, nil), failure(everyAction).state(t)
	allocs := func(slots int) float64 {
		only := make([]data.Candidate, slots)
		for i := range only {
			only[i] = data.Candidate{Action: data.Retry, At: failedAt + 80*data.Hour + data.Micros(i)*data.Hour}
		}
		e := engine(t, b)
		return testing.AllocsPerRun(20, func() {
			if _, err := e.decide(s, "case", failedAt, only); err != nil {
				t.Fatal(err)
			}
		})
	}
	few, many := allocs(8), allocs(256)
	if many > few+16 { // growing slices alone
		t.Errorf("8 slots: %v allocations, 256: %v", few, many)
	}
}

func warns(d *Decision, text string) bool {
	return slices.ContainsFunc(d.Warnings, func(w string) bool { return strings.Contains(w, text) })
}

// Where waiting helps more than a link does, and the retries after it carry its
// value, a paisa more is not worth a paisa less.
func TestOneRounding(t *testing.T) {
	v := valuer{policy: Default()}
	worth := func(amount data.Paise) data.Paise {
		d := Decision{Amount: amount, Allowed: []Choice{{Action: data.PaymentLink}}}
		v.fill(&d, []guess{{p: 0.1, later: 0.4552}}, 0.1+0.0032667772304607601)
		c := d.Allowed[0]
		if *c.EV != share(*c.Uplift, amount)+c.Later-c.Opportunity {
			t.Errorf("%s: EV %s is not the sum of its parts: %+v", amount, *c.EV, c)
		}
		return *c.EV
	}
	for amount := data.Paise(2800); amount < 3000; amount++ {
		if a, b := worth(amount), worth(amount+1); b < a {
			t.Errorf("%s of %s, %s of a paisa more", a, amount, b)
		}
	}
}
