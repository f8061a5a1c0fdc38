package compare

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"recoup/data"
	"recoup/data/sim"
	"recoup/features"
	"recoup/ope/bandit"
	"recoup/score"
)

// The own pay day is what the attempt row says of it: afternoon of the day, or the day
// after, the first such slot; the two timings are one where they are near each other.
func TestOwnPayDay(t *testing.T) {
	grid := map[string]int{"RETRY_SCHEDULED/0/1": 16, "RETRY_SCHEDULED/1/1": 20, "RETRY_SCHEDULED/2/1": 30}
	a, err := newAdviser(grid)
	if err != nil {
		t.Fatal(err)
	}
	c := Full()
	c.Cases, c.Months = 250, 3
	ctx := context.Background()
	stage, err := sim.NewStage(ctx, c.world(77, 0))
	if err != nil {
		t.Fatal(err)
	}
	rules, err := score.New(score.Default(), nil)
	if err != nil {
		t.Fatal(err)
	}
	schema := features.AttemptSchema()
	evidence, since := schema.Index("cust_payday_evidence"), schema.Index("cand_payday_since")
	one, two := 0, 0
	check := func(s *scene) (int, error) {
		past, err := s.state.Past(s.turn.CaseID, s.turn.Now)
		if err != nil {
			return 0, err
		}
		want := -1
		for i := len(s.retries) - 1; i >= 0; i-- {
			row, err := past.AttemptRow(nil, data.Candidate{Action: data.Retry, At: s.at(i)})
			if err != nil {
				return 0, err
			}
			noon := s.at(i).ISTTimeOfDay() >= 12*data.Hour
			if s.d.Class == data.RetryScheduled && row[evidence] > 0 && (row[since] == 1 || row[since] == 0 && noon) {
				want = i
			}
		}
		own, err := a.own(s)
		if err != nil || own != want {
			t.Errorf("case %s: own pay day is slot %d, want %d (%v)", s.turn.CaseID, own, want, err)
		}
		tuned, _ := a.rules(s)
		taken, err := a.onOwnDay(s)
		if own >= 0 && taken != own || own < 0 && max(0, taken) != tuned {
			t.Errorf("case %s: takes %d of own %d and tuned %d (%v)", s.turn.CaseID, taken, own, tuned, err)
		}
		slots, err := a.both(s)
		if err != nil || slots[0] != tuned {
			t.Errorf("case %s: %v, %v", s.turn.CaseID, slots, err)
		}
		word := "/one/"
		if own >= 0 && gap(s.at(own), s.at(tuned)) > near {
			word = "/two/"
			two++
			if slots[1] != own {
				t.Errorf("case %s: %v, want own %d", s.turn.CaseID, slots, own)
			}
		} else {
			one++
			if slots[1] != -1 {
				t.Errorf("case %s: %v are one", s.turn.CaseID, slots)
			}
		}
		if cell := adviceCell(s, slots); !strings.Contains(string(cell), word) {
			t.Errorf("cell %s, want %s", cell, word)
		}
		return taken, nil
	}
	if _, err := playHand(ctx, stage, rules, hand{name: OwnDay, pick: check}, c); err != nil {
		t.Fatal(err)
	}
	if one < 20 || two < 20 {
		t.Errorf("%d times one timing, %d times two: too few to tell", one, two)
	}
}

// Both sides of the edges between near and far, and of the hours.
func TestCorrections(t *testing.T) {
	now := data.IST(2026, 5, 1, 6, 0)
	s := moment(now, now+18*data.Hour-1, now+2*data.Day-1, now+2*data.Day, now+2*data.Day+beside, now+2*data.Day+beside+1)
	ones := func(i, rules, own int) (out []int) {
		row := corrections(s, i, rules, own, 1)
		for k, v := range row[3:11] {
			if v == 1 {
				out = append(out, 3+k)
			}
		}
		if row[0] != 1 || row[1] != .5 || math.Abs(row[2]-float64(s.at(i)-now)/float64(7*data.Day)) > 1e-12 || row[11+window(s.at(i))] != 1 || row[11+len(windows)+window(s.at(i))] != 1 {
			t.Errorf("%v", row)
		}
		return out
	}
	for _, c := range []struct {
		i, rules, own int
		want          []int
	}{
		{0, 0, -1, []int{5, 6, 7, 9}},
		{1, 2, 2, []int{6, 9, 10}},
		{2, 2, 2, []int{3, 7, 8, 9, 10}},
		{3, 2, 4, []int{9, 10}},
		{4, 2, 2, nil},
		{4, 2, -1, nil},
	} {
		if got := ones(c.i, c.rules, c.own); !slices.Equal(got, c.want) {
			t.Errorf("slot %d, rules %d, own %d: %v, want %v", c.i, c.rules, c.own, got, c.want)
		}
	}
	s.d.Class = data.RetryNow
	if row := corrections(s, 0, 0, -1, 1); slices.Max(row[11+len(windows):]) != 0 {
		t.Error("the parts of the month of those out of money are set for others")
	}
}

// What dice showed: each bandit learns its own of a trial, and an open one teaches none.
func TestLessons(t *testing.T) {
	tc := &teacher{open: map[string]lesson{}}
	for id, l := range map[string]lesson{
		"a": {advice: []bandit.Outcome{{Cell: "X/two", Arm: 0, Weight: 1}, {Cell: "X/two", Arm: 1, Weight: 1}}, calendar: bandit.Outcome{Cell: "X", Arm: 4, Weight: 1}, in: input{make([]float64, columns), .5}},
		"b": {calendar: bandit.Outcome{Cell: "X", Arm: 4, Weight: 1}, in: input{make([]float64, columns), .5}},
		"c": {calendar: bandit.Outcome{Cell: "X", Arm: 5, Weight: 1}, in: input{make([]float64, columns), .5}},
	} {
		tc.open[id] = l
		closes := judged
		if id == "c" {
			closes++
		}
		if err := tc.book.Open(bandit.Trial{ID: id, Cell: bandit.Cell(id), Closes: closes}); err != nil {
			t.Fatal(err)
		}
	}
	tc.book.Succeed("a", data.Day)
	l, err := tc.lessons(judged)
	if err != nil || l.Trials != 2 {
		t.Fatalf("%+v, %v", l, err)
	}
	advice, _, err := bandit.DecodeState(l.Advice)
	if err != nil {
		t.Fatal(err)
	}
	calendar, _, err := bandit.DecodeState(l.Calendar)
	if err != nil {
		t.Fatal(err)
	}
	if got := advice.At("X/two", judged); got[0] != got[1] || !(got[0].Mean() > .5) {
		t.Errorf("timings: %v", got)
	}
	if got := calendar.At("X", judged); got[4].Alpha+got[4].Beta <= 3 || got[5] != (bandit.Arm{Alpha: 1, Beta: 1}) {
		t.Errorf("parts of the month: %v", got)
	}
}
