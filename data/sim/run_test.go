package sim

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"recoup/data"
)

var update = flag.Bool("update", false, "rewrite testdata")

func config(cases int) Config {
	return Config{Seed: 1, Cases: cases, Start: data.IST(2025, 1, 1, 0, 0), Months: 14}
}

// gather runs a world and keeps all of it.
func gather(t *testing.T, c Config, b Behaviour) (*Batch, Summary) {
	t.Helper()
	all := &Batch{}
	s, err := Run(context.Background(), c, b, func(b *Batch) error {
		all.Attempts = append(all.Attempts, b.Attempts...)
		all.CaseEvents = append(all.CaseEvents, b.CaseEvents...)
		all.Subscriptions = append(all.Subscriptions, b.Subscriptions...)
		all.Mandates = append(all.Mandates, b.Mandates...)
		all.Notices = append(all.Notices, b.Notices...)
		all.Polls = append(all.Polls, b.Polls...)
		all.Promises = append(all.Promises, b.Promises...)
		all.Downtimes = append(all.Downtimes, b.Downtimes...)
		all.Decisions = append(all.Decisions, b.Decisions...)
		all.Outcomes = append(all.Outcomes, b.Outcomes...)
		all.Candidates = append(all.Candidates, b.Candidates...)
		all.Cures = append(all.Cures, b.Cures...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all, s
}

func TestConfigReportsEveryFault(t *testing.T) {
	err := Config{Cases: -1, Months: 99, Workers: -1, Without: math.MaxUint16}.Validate()
	for _, word := range []string{"cases: -1", "months: 99", "start: 1970", "workers: -1", "without funds"} {
		if err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%q is missing from: %v", word, err)
		}
	}
	if !errors.Is(err, data.ErrUsage) {
		t.Error("not a usage error")
	}
	if err := config(1).Validate(); err != nil {
		t.Error(err)
	}
}

// TestSameBytes: the number of workers and the run leave no trace, the seed does.
func TestSameBytes(t *testing.T) {
	sum := func(workers int, seed uint64) string {
		c := config(700)
		c.Workers, c.Seed = workers, seed
		h := sha256.New()
		enc := json.NewEncoder(h)
		s, err := Run(context.Background(), c, Uniform(), func(b *Batch) error { return enc.Encode(b) })
		if err != nil {
			t.Fatal(err)
		}
		if s.Cases != 700 {
			t.Errorf("%d cases, want 700", s.Cases)
		}
		return fmt.Sprintf("%x", h.Sum(nil))
	}
	one := sum(1, 1)
	if five := sum(5, 1); five != one {
		t.Error("five workers make another world than one")
	}
	if other := sum(1, 2); other == one {
		t.Error("another seed makes the same world")
	}
}

// TestStops: an error of emit and a cancelled context end the run.
func TestStops(t *testing.T) {
	boom := errors.New("boom")
	if _, err := Run(context.Background(), config(5000), Uniform(), func(*Batch) error { return boom }); err != boom {
		t.Errorf("got %v", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	if _, err := Run(ctx, config(50000), Uniform(), func(*Batch) error { stop(); return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	for name, p := range map[string]Policy{
		"short": func(dst []float64, s *Situation) []float64 { return append(dst[:0], 1) },
		"negative": func(dst []float64, s *Situation) []float64 {
			d := only(dst, len(s.Candidates), 0)
			d[0], d[1] = 2, -1
			return d
		},
		"nan": func(dst []float64, s *Situation) []float64 {
			d := only(dst, len(s.Candidates), 0)
			d[0] = math.NaN()
			return d
		},
		"sum": func(dst []float64, s *Situation) []float64 { return only(dst, len(s.Candidates), -1) },
	} {
		if _, err := Run(context.Background(), config(50), Behaviour{ID: name, Arm: data.ArmExplorer, Policy: p}, func(*Batch) error { return nil }); err == nil {
			t.Errorf("a %s distribution was accepted", name)
		}
	}
}

// TestCommonRandomNumbers: all policies face the same first charges, and the
// same candidate of the same attempt has the same outcome under each.
func TestCommonRandomNumbers(t *testing.T) {
	type candidate struct {
		id string
		no int
		at data.Micros
	}
	var charges [3]map[string]data.Attempt
	var truths [3]map[candidate]bool
	for i, b := range Behaviours() {
		all, _ := gather(t, config(800), b)
		charges[i], truths[i] = map[string]data.Attempt{}, map[candidate]bool{}
		for _, a := range all.Attempts {
			if a.AttemptNo == 0 && a.Status != data.Refunded {
				charges[i][a.EventID] = a
			}
		}
		for _, c := range all.Candidates {
			if c.Action == data.Retry {
				truths[i][candidate{c.CaseID, c.AttemptNo, c.At}] = c.Outcome
			}
		}
	}
	for i := 1; i < 3; i++ {
		if !maps.Equal(charges[0], charges[i]) {
			t.Errorf("policy %d changed first charges", i)
		}
		both := 0
		for c, y := range truths[0] {
			if other, ok := truths[i][c]; ok {
				if both++; other != y {
					t.Errorf("%v: %v under one policy, %v under another", c, y, other)
				}
			}
		}
		if both < 1000 {
			t.Errorf("only %d candidates in common", both)
		}
	}
}

// TestPropensities: what is logged is what is drawn.
func TestPropensities(t *testing.T) {
	all, _ := gather(t, config(3000), Uniform())
	var waits int
	var expect, variance float64
	var tenths [10]int
	for _, d := range all.Decisions {
		sum, below := 0.0, 0.0
		for i, o := range d.Allowed {
			if o.Propensity <= 0 || o.Mix != o.Propensity {
				t.Fatalf("%s: option %d has propensity %v, mix %v", d.DecisionID, i, o.Propensity, o.Mix)
			}
			sum += o.Propensity
			if i < int(d.Chosen) {
				below += o.Propensity
			}
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Fatalf("%s: propensities sum to %v", d.DecisionID, sum)
		}
		tenths[min(9, int(10*(below+d.Allowed[d.Chosen].Propensity/2)))]++
		p := d.Allowed[0].Propensity
		expect, variance = expect+p, variance+p*(1-p)
		if d.Chosen == 0 {
			waits++
		}
	}
	if v := (float64(waits) - expect) / math.Sqrt(variance); math.Abs(v) > 5 {
		t.Errorf("waiting was drawn %d times, expected %.0f (z %.1f)", waits, expect, v)
	}
	for i, n := range tenths { // a tenth holds slots within a slot's width of a tenth of the draws
		if share := float64(n) / float64(len(all.Decisions)); share < .07 || share > .13 {
			t.Errorf("tenth %d of the slots got %.3f of the draws", i, share)
		}
	}
	rules, _ := gather(t, config(300), Rules())
	for _, d := range rules.Decisions {
		if d.Allowed[d.Chosen].Propensity != 1 {
			t.Fatalf("%s: a fixed policy drew an option of propensity %v", d.DecisionID, d.Allowed[d.Chosen].Propensity)
		}
	}
}

// TestFirstRows pins the first rows of seed 1: whoever changes them changes
// every world, and says so. go test -run TestFirstRows -update rewrites them.
func TestFirstRows(t *testing.T) {
	all, _ := gather(t, config(3), Uniform())
	var b strings.Builder
	enc := json.NewEncoder(&b)
	for _, rows := range []any{first(all.Attempts, 6), first(all.Mandates, 2), first(all.Notices, 2), first(all.Downtimes, 2), first(all.Outcomes, 2),
		first(all.Candidates, 4), first(all.Cures, 3)} {
		if err := enc.Encode(rows); err != nil {
			t.Fatal(err)
		}
	}
	d := all.Decisions[0]
	d.Allowed = first(d.Allowed, 3)
	enc.Encode(d)
	const file = "testdata/first_rows.jsonl"
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("the first rows of seed 1 changed:\n%s\nwant\n%s", b.String(), want)
	}
}

func first[T any](rows []T, n int) []T { return slices.Clone(rows[:min(n, len(rows))]) }
