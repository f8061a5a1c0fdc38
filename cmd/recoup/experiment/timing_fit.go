package experiment

import (
	"context"
	"slices"

	"recoup/api/report"
	"recoup/cmd/recoup/experiment/paired"
	"recoup/data"
	"recoup/features"
	"recoup/models"
	"recoup/train"
)

// whens are the columns that say when a retry is presented, by what they say of it. What
// else is known of a candidate, such as an outage then, is none of them.
var whens = []struct {
	name    string
	columns []string
}{
	{"delay", []string{"cand_delay"}},
	{"hour", []string{"cand_hour_sin", "cand_hour_cos", "cand_peak"}},
	{"calendar and pay day", []string{"cand_weekday", "cand_month_sin", "cand_month_cos", "cand_month_end", "cand_payday_since", "cand_payday_until",
		"cand_payday_fresh", "cand_payday_expected", "cand_payday_crossed", "cand_common_since", "cand_common_crossed", "cand_days_rate"}},
}

// allWhens is the name of all of them together.
const allWhens = "all of these"

// Earned is what a file of timing holds: what the columns that say when earn in a model
// that learned from one log, on the test slice of a log.
type Earned struct {
	Input string       `json:"input"`
	Spare []SpareTime  `json:"spare"` // by log
	Lines []EarnedLine `json:"lines"`
}

// SpareTime is how much the delay of a retry varies in a log.
type SpareTime struct {
	Log    string  `json:"log"`    // rules, explorer
	Rows   int64   `json:"rows"`   // retries with a closed window
	Days   float64 `json:"days"`   // mean delay
	Within float64 `json:"within"` // share of the variance of the delay (of its logarithm) that class and number of the attempt leave
}

// EarnedLine is the Brier score without some columns minus the one with all: above 0 = they
// earn something. Each is fitted and calibrated anew.
type EarnedLine struct {
	Columns string          `json:"columns"`
	Learned string          `json:"learned_from"` // rules, explorer
	Judged  string          `json:"judged_on"`    // rules, explorer
	Worth   report.Estimate `json:"worth"`
}

// attemptTable is a night's table of retries.
type attemptTable struct {
	name string // the arm that left the log
	file *data.FrameFile
	task train.Task
}

func (j *job) openTable(name, path string) (*attemptTable, error) {
	f, err := data.OpenFrames(path)
	if err != nil {
		return nil, err
	}
	t := &attemptTable{name: name, file: f, task: train.Task{Table: train.Table{Name: name + ", attempts", Rows: f.Rows(), Frames: f.Frames}, Workers: j.Workers}}
	span := train.Span{First: j.trainStart(), AsOf: j.Start}
	for frame, err := range f.Frames("at", "horizon_us") {
		if err != nil {
			return nil, err
		}
		at, h := frame.Column("at"), frame.Column("horizon_us")
		for i := range frame.N {
			span.Last, span.Longest = max(span.Last, data.Micros(at.I[i])), max(span.Longest, data.Micros(h.I[i]))
		}
	}
	t.task.Slices, err = train.Cut(span)
	return t, err
}

// earned fits the models of both logs with and without the columns that say when.
func (j *job) earned(ctx context.Context, input string) (*Earned, error) {
	rules, err := j.openTable(Rules, j.taught.Attempts)
	if err != nil {
		return nil, err
	}
	defer rules.file.Close()
	explorer, err := j.openTable(Explorer, j.model.Attempts)
	if err != nil {
		return nil, err
	}
	defer explorer.file.Close()
	out := &Earned{Input: input, Lines: []EarnedLine{}}
	for _, t := range []*attemptTable{rules, explorer} {
		spare, err := t.spare()
		if err != nil {
			return nil, err
		}
		out.Spare = append(out.Spare, spare)
	}
	for _, p := range []struct {
		from *attemptTable
		on   []*attemptTable
	}{{rules, []*attemptTable{rules, explorer}}, {explorer, []*attemptTable{explorer}}} {
		lines, err := p.from.worths(ctx, features.AttemptSchema(), p.on)
		if err != nil {
			return nil, err
		}
		out.Lines = append(out.Lines, lines...)
	}
	return out, nil
}

// worths fits with all columns of a schema and without some, and judges on each of some tables.
func (t *attemptTable) worths(ctx context.Context, whole features.Schema, on []*attemptTable) (out []EarnedLine, err error) {
	full, err := t.losses(ctx, whole, on)
	if err != nil {
		return nil, err
	}
	var every []string
	for _, w := range whens {
		every = append(every, w.columns...)
	}
	for _, w := range append(slices.Clone(whens), struct {
		name    string
		columns []string
	}{allWhens, every}) {
		less, err := t.losses(ctx, without(whole, w.columns), on)
		if err != nil {
			return nil, err
		}
		for k := range on {
			s := paired.New([][]int{full[k].customer})
			out = append(out, EarnedLine{w.name, t.name, on[k].name,
				s.Mean(func(i int) float64 { return less[k].loss[i] - full[k].loss[i] }, nil)})
		}
	}
	return out, nil
}

// judgedRows are the squared errors of the rows of a test slice, with their customers.
type judgedRows struct {
	loss     []float64
	customer []int
}

func (t *attemptTable) losses(ctx context.Context, s features.Schema, on []*attemptTable) (out []judgedRows, err error) {
	task := t.task
	task.Schema = s
	f, err := train.Run(ctx, task)
	if err != nil {
		return nil, err
	}
	for _, o := range on {
		judge := o.task
		judge.Schema = s
		got, err := train.Score(judge, models.Scorer{Logistic: f.Logistic, Platt: f.Platt}, *o.task.Slices.Of(train.ForTest), "customer_id")
		if err != nil {
			return nil, err
		}
		var r judgedRows
		number, who := map[string]int{}, got.Meta.Column("customer_id")
		for i, y := range got.Y {
			d := got.P[i] - y
			r.loss = append(r.loss, float64(d*d))
			c := who.Text(i)
			if _, ok := number[c]; !ok {
				number[c] = len(number)
			}
			r.customer = append(r.customer, number[c])
		}
		out = append(out, r)
	}
	return out, nil
}

// without is a schema less some columns, and less the blocks that they are part of.
func without(s features.Schema, columns []string) features.Schema {
	out := s
	out.Columns = slices.DeleteFunc(slices.Clone(s.Columns), func(c features.Column) bool { return slices.Contains(columns, c.Name) })
	out.Blocks = slices.DeleteFunc(slices.Clone(s.Blocks), func(b features.Block) bool {
		return slices.Contains(columns, b.A) || slices.Contains(columns, b.B)
	})
	return out
}
