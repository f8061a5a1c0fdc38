package experiment

import (
	"context"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"recoup/api/report"
	"recoup/data"
	"recoup/features"
	"recoup/train"
)

// TestWhens: the columns that say when are columns of the candidate, each in one part; less
// them the schema has none of the blocks that they are in.
func TestWhens(t *testing.T) {
	s, n := features.AttemptSchema(), 0
	seen := map[string]bool{}
	for _, w := range whens {
		for _, name := range w.columns {
			n++
			if i := s.Index(name); i < 0 || s.Columns[i].Group != features.GroupCandidate || seen[name] {
				t.Errorf("%s: place %d, seen %v", name, i, seen[name])
			}
			seen[name] = true
		}
	}
	less := without(s, whens[0].columns)
	if len(less.Columns) != len(s.Columns)-1 || len(less.Blocks) != len(s.Blocks)-2 || less.Index("cand_delay") >= 0 {
		t.Errorf("%d columns, %d blocks without the delay", len(less.Columns), len(less.Blocks))
	}
	if whole := features.AttemptSchema(); len(whole.Columns) != len(s.Columns) || whole.Columns[s.Index("cand_delay")].Name != "cand_delay" {
		t.Error("the schema itself was cut")
	}
}

// retries is a log in which the delay decides, or nothing does; the hour never.
func retries(name string, seed uint64, matters bool) *attemptTable {
	dice := rand.New(rand.NewPCG(seed, 1))
	const n = 6000
	from := data.IST(2025, 1, 1, 0, 0)
	f := &data.Frame{N: n, Columns: []data.Column{{Name: "at", Kind: data.Timestamp}, {Name: "horizon_us", Kind: data.Int64}, {Name: "y", Kind: data.Int64},
		{Name: "customer_id", Kind: data.String}, {Name: "class", Kind: data.String, Dict: []string{"A", "B"}}, {Name: "cand_delay", Kind: data.Float64}, {Name: "cand_peak", Kind: data.Float64}, {Name: "next_no", Kind: data.Float64}}}
	c := f.Columns
	for i := range n {
		delay, class, no := dice.NormFloat64(), uint32(i%2), float64(i%3)
		logit := no - 1
		if matters {
			logit += 1.5 * delay
		}
		y := int64(0)
		if dice.Float64() < 1/(1+math.Exp(-logit)) {
			y = 1
		}
		c[0].I = append(c[0].I, int64(from+data.Micros(i)*(400*data.Day/n)))
		c[1].I, c[2].I = append(c[1].I, int64(data.Day)), append(c[2].I, y)
		c[3].Codes, c[3].Dict = append(c[3].Codes, uint32(i)), append(c[3].Dict, fmt.Sprint("c", i/3))
		c[4].Codes = append(c[4].Codes, class)
		c[5].F, c[6].F, c[7].F = append(c[5].F, delay+2*float64(class)), append(c[6].F, float64(dice.IntN(2))), append(c[7].F, no)
	}
	t := &attemptTable{name: name, task: train.Task{Workers: 1}}
	t.task.Table = train.Table{Name: name, Rows: n, Frames: func(...string) iter.Seq2[*data.Frame, error] { return train.InMemory(f)() }}
	t.task.Slices, _ = train.Cut(train.Span{First: from, Last: from + 400*data.Day, AsOf: from + 402*data.Day, Longest: data.Day})
	return t
}

// TestWorths: what decides earns, what does not earns nothing, in the log that shows it;
// and a model that was not shown it does not know it elsewhere.
func TestWorths(t *testing.T) {
	s := features.Schema{Name: "attempt", Version: 1, Columns: []features.Column{{Name: "class", Levels: []string{"A", "B"}, Group: "case"},
		{Name: "cand_delay", Group: features.GroupCandidate}, {Name: "cand_peak", Group: features.GroupCandidate}, {Name: "next_no", Group: "case"}},
		Blocks: []features.Block{{Name: "class x delay", A: "class", B: "cand_delay"}}}
	shown, hidden := retries(Explorer, 1, true), retries(Rules, 2, false)
	lines := map[string]report.Estimate{}
	for _, from := range []*attemptTable{shown, hidden} {
		got, err := from.worths(context.Background(), s, []*attemptTable{from, shown})
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range got {
			lines[l.Columns+"/"+l.Learned+"/"+l.Judged] = l.Worth
		}
	}
	at := func(key string) float64 {
		if e := lines[key]; e.Value != nil {
			return *e.Value
		}
		t.Fatalf("no line %s of %v", key, lines)
		return 0
	}
	if v := at("delay/explorer/explorer"); v < .03 || *lines["delay/explorer/explorer"].Lo <= 0 || math.Abs(at(allWhens+"/explorer/explorer")-v) > .002 {
		t.Errorf("what decides earns %v", v)
	}
	for _, key := range []string{"hour/explorer/explorer", "delay/rules/rules", "delay/rules/explorer", "calendar and pay day/explorer/explorer"} {
		if v := at(key); math.Abs(v) > .01 {
			t.Errorf("%s: %v", key, v)
		}
	}
	for _, table := range []*attemptTable{shown, hidden} {
		// Within a class the delay has variance 1, between them 1 as well.
		if spare, err := table.spare(); err != nil || spare.Rows != 6000 || math.Abs(spare.Within-.5) > .03 {
			t.Errorf("%+v, %v", spare, err)
		}
	}
}

// TestSaysOfColumns: the words follow the intervals.
func TestSaysOfColumns(t *testing.T) {
	if (&Timing{}).saysOfColumns() != nil {
		t.Error("something was said of nothing")
	}
	var e Timing
	for _, name := range []string{"delay", allWhens} {
		e.Earned = append(e.Earned, EarnedLine{name, Rules, Rules, report.Ranged(0, -1, 1, 9)}, EarnedLine{name, Rules, Explorer, report.Ranged(-2e-4, -3e-4, -1e-4, 9)},
			EarnedLine{name, Explorer, Explorer, report.Ranged(2e-4, 1e-4, 3e-4, 9)})
	}
	said := e.saysOfColumns()
	if len(said) != 2 || !strings.Contains(said[0], "the delay alone earn nothing that is shown") || !strings.Contains(said[1], "they do harm: −2.0 [−3.0, −1.0]") || !strings.Contains(said[1], "they earn something: 2.0 [1.0, 3.0]") {
		t.Error(slices.Concat(said))
	}
}
