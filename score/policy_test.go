package score

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recoup/data"
)

func TestDefaultPolicy(t *testing.T) {
	p := Default()
	if len(p.ID()) != 16 || p.Version() != "2026-11-30" || p.Horizon() != 21*data.Day || p.Cost(data.Wait) != 0 || p.Cost(data.Retry) != 200 || p.Cost(data.Escalate) != 4000 {
		t.Errorf("%s, %s, %d, %d", p.ID(), p.Version(), p.Horizon(), p.Cost(data.Retry))
	}
	if len(p.Rules()) != len(gateRules) {
		t.Errorf("%d rules, the gate knows %d", len(p.Rules()), len(gateRules))
	}
	path := filepath.Join(t.TempDir(), "policy.yaml")
	must(t, os.WriteFile(path, append(DefaultText(), "# more\n"...), 0o644))
	q, err := LoadPolicy(path)
	must(t, err)
	if q.ID() == p.ID() {
		t.Error("another file, the same id")
	}
	for _, c := range []struct {
		path, dir string
		want      *Policy
	}{{"", "", p}, {"", t.TempDir(), p}, {"", filepath.Dir(path), q}, {path, "", q}} {
		if got, err := FindPolicy(c.path, c.dir); err != nil || got.ID() != c.want.ID() {
			t.Errorf("%q, %q: %v", c.path, c.dir, err)
		}
	}
}

// Every fault of a policy is told with its line, all at once; nothing becomes a default.
func TestPolicyFaults(t *testing.T) {
	good := string(DefaultText())
	for _, c := range []struct{ name, old, new, want string }{
		{"unknown key", "grid:\n", "grids: 1\ngrid:\n", `:8: policy: unknown key "grids": expected one of `},
		{"missing", "  payment_link: {paise: 35, source: \"Reclaim: 35 paise a message\"}\n", "", "costs: key payment_link is missing"},
		{"twice", "ladder: {", "ladder: {days: [1], source: x}\nladder: {", `:21: not YAML: mapping key "ladder" already defined`},
		{"no source", "last_working_day: true, from: \"08:00\", to: \"09:30\", source: ", "last_working_day: true, from: \"08:00\", to: \"09:30\", sauce: ", `pay_days: unknown key "sauce"`},
		{"negative cost", "retry: {paise: 200", "retry: {paise: -1", `costs: retry: "-1": expected a whole number from 0 to 1000000000`},
		{"fraction", "retry: {paise: 200", "retry: {paise: 2.5", `costs: retry: "2.5": expected a whole number`},
		{"long horizon", "days: 21", "days: 22", `horizon: days: "22": expected a whole number from 1 to 21`},
		{"hours out of order", "[0, 6, 12, 18]", "[0, 6, 6, 18]", "grid: retry_hours: 6: expected numbers in rising order"},
		{"hour 24", "[0, 6, 12, 18]", "[0, 24]", `"24": expected a whole number from 0 to 23`},
		{"empty list", "[0, 6, 12, 18]", "[]", "grid: retry_hours: expected a list"},
		{"time of day", `from: "08:00"`, `from: "8 h"`, `pay_days: from: "8 h": expected a time of day`},
		{"window", `to: "09:30"`, `to: "07:30"`, "pay_days: to is before from"},
		{"number unknown", "id: budget, value", "id: budgets, value", `number: id: "budgets": expected one of advice_needed, advice_wait,`},
		{"number out of bounds", "id: budget, value: 4", "id: budget, value: 17", `number: budget: value, presentations: "17": expected a whole number from 1 to 16`},
		{"number ended", "rail: upi_autopay, value: 4, from: 2025-08-01", "rail: upi_autopay, value: 4, from: 2025-08-01, to: 2025-08-01", "number: to is not after from"},
		{"number for some only", "{id: budget, value: 4", "{id: budget, rail: card, value: 4", "numbers: budget: a row for every case and every day is missing"},
		{"number from late", "{id: afa_cap, value: 500000, from: 2000-01-01", "{id: afa_cap, value: 500000, from: 2001-01-01", "numbers: afa_cap: a row for every case and every day is missing"},
		{"rail", "rail: upi_autopay, value: 48", "rail: upi, value: 48", `number: rail: "upi": expected one of card, emandate,`},
		{"category", "category: fastag", "category: toll", `number: category: "toll": expected one of credit_card,`},
		{"code", `code: "02"`, `code: "2"`, `number: code: "2": expected two capitals or digits, in quotes`},
		{"small code", `"R0"`, `"r0"`, `stop: response: "r0": expected two capitals or digits`},
		{"stop without codes", `{network: mastercard, advice: ["03", "21"], from`, `{network: mastercard, from`, "stop: expected codes"},
		{"window", `at: "21:00", until: "08:00"`, `at: "21:00", until: "21:00"`, "window: it ends when it begins"},
		{"window of what", "what: contact", "what: calls", `window: what: "calls": expected one of contact, retry`},
		{"holidays out of order", "2025-04-01, 2025-08-15", "2025-08-15, 2025-04-01", "holidays: days: expected dates in rising order"},
		{"saturday", "saturdays: [2, 4]", "saturdays: [2, 6]", `holidays: saturdays: "6": expected a whole number from 1 to 5`},
		{"verdict", "RETRY_NOW:         {retry: \"yes\"", "RETRY_NOW:         {retry: \"maybe\"", `RETRY_NOW: retry: "maybe": expected one of after_failed_poll, after_outage, no, yes`},
		{"kind", "link_kind: re_mandate_link", "link_kind: winback", `SWITCH_INSTRUMENT: "winback": expected a kind of payment_link`},
		{"class", "STOP:              ", "STOPPED:           ", `classes: unknown key "STOPPED"`},
		{"arm", "arm: {action: retry, when: pay_day}", "arm: {action: retry, when: now}", "a retry has a time"},
		{"arm hours", "when: after, hours: [1, 6, 24]", "when: after", "hours go with when: after"},
		{"rule unknown", "id: nudge_once", "id: nudge_never", `rule "nudge_never": unknown`},
		{"rule missing", "id: nudge_once", "id: nudge_never", "rules: nudge_once is missing"},
		{"rule ended", `source: "one debit for one charge", from: 2000-01-01}`, `source: "one debit for one charge", from: 2000-01-01, to: 2027-01-01}`, "rule paid: in force from 2000-01-01, without end"},
		{"rule late", `id: disputed, why: "The customer disputes the charge", source: "own choice", from: 2000-01-01`, `id: disputed, why: "The customer disputes the charge", source: "own choice", from: 2030-01-01`, "rule disputed: in force from"},
		{"date", "version: 2026-11-30", "version: 2026-11-31", `version: "2026-11-31": expected a date`},
		{"format", "format: 1", "format: 2", "format: \"2\": expected a whole number from 1 to 1"},
		{"no yaml", "format: 1", "format: [", "not YAML"},
	} {
		text := strings.Replace(good, c.old, c.new, 1)
		if text == good {
			t.Fatalf("%s: nothing replaced", c.name)
		}
		_, err := ParsePolicy("p.yaml", []byte(text))
		if err == nil || !errors.Is(err, data.ErrUsage) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "p.yaml:") {
			t.Errorf("%s: %v\nexpected %s", c.name, err, c.want)
		}
	}
	_, err := ParsePolicy("p.yaml", []byte(strings.NewReplacer("paise: 200", "paise: x", "days: 21", "days: 0", "id: horizon", "id: h").Replace(good)))
	for _, want := range []string{"costs: retry", "horizon: days", `rule "h"`, "rules: horizon is missing"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nhas no %s: all faults are told at once", err, want)
		}
	}
	if _, err := LoadPolicy(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a file that is not there was read")
	}
}

// FuzzPolicy: any text is a policy or refused with its faults.
func FuzzPolicy(f *testing.F) {
	f.Add(DefaultText())
	f.Add([]byte("format: 1\nrules: [{id: paid}]\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := ParsePolicy("p", text)
		if (p == nil) != (err != nil) || err != nil && !errors.Is(err, data.ErrUsage) {
			t.Errorf("%v, %v", p, err)
		}
	})
}
