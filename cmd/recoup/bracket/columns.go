package bracket

import (
	"math"
	"slices"

	"recoup/data"
	"recoup/models"
)

// The inputs of the reward model, of a decision and one of its options. They are
// few on purpose: a reward model need not be right, and what it knows it must learn
// from a fifth less of the log.
const (
	inClass = iota
	inRail
	inAction
	inHour // of the day in India, in quarters
	inRetries
	inAmount // ln rupees
	inDelay  // days
	inPayday // days since the latest common pay day, 15 at most
	inputs
)

// none is the level of what is not known.
const none = "none"

// rewardDesign is the linear model's: each input, and what ranks options by product.
func rewardDesign() models.Design {
	d := models.Design{Inputs: []models.Input{
		inClass: {Name: "class", Levels: words(data.Classes())}, inRail: {Name: "rail", Levels: words(data.Rails())},
		inAction: {Name: "action", Levels: words(data.Actions())[1:]}, inHour: {Name: "hour", Levels: []string{"00-06", "06-12", "12-18", "18-24"}},
		inRetries: {Name: "retries"}, inAmount: {Name: "amount"}, inDelay: {Name: "delay"}, inPayday: {Name: "payday"},
	}}
	for i := range inputs {
		d.Terms = append(d.Terms, models.Term{A: i, B: -1})
	}
	for _, p := range [][2]int{{inClass, inAction}, {inClass, inDelay}, {inClass, inPayday}, {inClass, inRail}, {inAction, inDelay}, {inAction, inRetries}, {inAction, inHour}} {
		d.Terms = append(d.Terms, models.Term{A: p[0], B: p[1]})
	}
	return d
}

// words are the names of some words, with none before them.
func words[T interface{ String() string }](all []T) []string {
	out := []string{none}
	for _, w := range all {
		out = append(out, w.String())
	}
	return out
}

// inputsOf fills dst with the inputs of an option; a category is the index of its level.
func inputsOf(dst []float64, d *Decision, o *data.Option) []float64 {
	dst = slices.Grow(dst[:0], inputs)[:inputs]
	dst[inClass] = float64(d.Class) // classes, rails and actions are numbered from 1, without gaps
	dst[inRail] = float64(d.Rail)
	dst[inAction] = float64(o.Action) - 1
	dst[inHour] = float64(o.At.ISTTimeOfDay() / (6 * data.Hour))
	dst[inRetries] = float64(min(d.Retries, 3))
	dst[inAmount] = math.Log(max(1, float64(d.Amount)/100))
	dst[inDelay] = max(0, float64(o.At-d.At)/float64(data.Day))
	dst[inPayday] = float64(sincePayday(o.At))
	return dst
}

// sincePayday counts days since the 1st, the 5th or the last of a month.
func sincePayday(at data.Micros) int {
	_, _, day := at.ISTDate()
	_, _, tomorrow := (at + data.Day).ISTDate()
	switch {
	case tomorrow == 1:
		return 0
	case day >= 5:
		return min(day-5, 15)
	}
	return day - 1
}

// frame holds the inputs of what was taken in some decisions, and whether it was
// paid.
func frame(design *models.Design, decisions []Decision, keep []int) *data.Frame {
	f := &data.Frame{N: len(keep)}
	for _, in := range design.Inputs {
		c := data.Column{Name: in.Name, Kind: data.Float64}
		if in.Category() {
			c.Kind, c.Dict = data.String, in.Levels
		}
		f.Columns = append(f.Columns, c)
	}
	y := data.Column{Name: "y", Kind: data.Float64}
	var row []float64
	for _, i := range keep {
		d := &decisions[i]
		row = inputsOf(row, d, &d.Options[d.Chosen])
		for k := range design.Inputs {
			if c := &f.Columns[k]; c.Kind == data.String {
				c.Codes = append(c.Codes, uint32(row[k]))
			} else {
				c.F = append(c.F, row[k])
			}
		}
		y.F = append(y.F, bit(d.Recovered))
	}
	f.Columns = append(f.Columns, y)
	return f
}

func bit(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// unknown is n numbers that nobody knows.
func unknown(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = math.NaN()
	}
	return out
}
