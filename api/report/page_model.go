package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// modelSection shows one model: measures, curve, calibrators, coefficients,
// blocks, slices.
func modelSection(id, nav, title string, m Model) section {
	s := section{ID: id, Nav: nav, Title: title}
	if m.NotAssessed != "" {
		return with(s, part{Text: "Not assessed: " + m.NotAssessed})
	}
	s = with(s, part{Text: judge("", m).Says + " " + judgeCalibration("", m).Says}, fitPart(m), measuresPart(m))
	s = with(s, testParts(m)...)
	s = with(s, calibratorsPart(m), coefficientFigure(m), coefficientTable(m), droppedPart(m), blocksPart(m))
	return with(s, groupParts(m)...)
}

func fitPart(m Model) part {
	trials := make([]string, 0, len(m.L2Trials))
	tries := slices.Clone(m.L2Trials)
	slices.SortStableFunc(tries, func(a, b L2Try) int { return cmp.Compare(a.L2, b.L2) })
	for i, t := range tries {
		loss := "failed"
		if t.LogLoss != nil {
			loss = fixed(*t.LogLoss, 5)
		}
		word := ""
		if t.Chosen {
			word = " (chosen)"
			if i == 0 || i == len(tries)-1 {
				word = " (chosen; at the edge of what was tried)"
			}
		}
		trials = append(trials, setting(t.L2)+": "+loss+word)
	}
	return part{Table: &table{Caption: "The fit", Head: []string{"fact", "value"}, Words: 2, Rows: [][]string{
		{"train rows", fmt.Sprintf("%s, %s positive, %s customers", count(m.Train.Rows), count(m.Train.Positives), count(m.Train.Customers))},
		{"coefficients", count(int64(m.Inputs))},
		{"penalty L2", setting(m.L2)},
		{"log loss on the select slice by L2", strings.Join(trials, "; ")},
		{"Newton steps", fmt.Sprintf("%d, largest gradient %s", m.Iterations, number(m.GradInf))},
		{"Platt", fmt.Sprintf("p = 1/(1 + exp(A f + B)), A = %s, B = %s", number(m.Platt.A), number(m.Platt.B))},
		{"base rate, train", estimateWhy(m.BaseRates.Train)},
		{"base rate, test", estimateWhy(m.BaseRates.Test)},
	}}}
}

// measuresPart prints every measure for every set of test rows side by side.
func measuresPart(m Model) part {
	type set struct {
		name string
		t    Test
		of   Measures
	}
	sets := []set{
		{"all, before calibration", m.All, m.All.Raw},
		{"all, calibrated", m.All, m.All.Calibrated},
		{"customers not in train", m.Unseen, m.Unseen.Calibrated},
		{"second fit, held-out customers", m.Held, m.Held.Calibrated},
	}
	t := &table{Caption: "Test slice" + because(m.All.IntervalsFrom), Head: []string{"measure"}, Words: 1}
	rows, over := []string{"rows"}, []string{"gain over the train rate"}
	reasons := []string{}
	sets = slices.DeleteFunc(sets, func(s set) bool {
		if s.t.NotAssessed != "" && s.of == nil {
			reasons = append(reasons, s.name+": not assessed: "+s.t.NotAssessed)
			return true
		}
		return false
	})
	for _, s := range sets {
		t.Head = append(t.Head, s.name)
		rows = append(rows, fmt.Sprintf("%s (%s, %s)", count(s.t.Rows), count(s.t.Positives), count(s.t.Customers)))
		over = append(over, estimate(s.t.OverBase))
	}
	if len(over) > 1 {
		over[1] = none // the gain is the calibrated model's
	}
	t.Rows, t.Notes = append(t.Rows, rows, over), append(t.Notes, "positive, customers", "in Brier score, paired; above 0 = better")
	for _, r := range measureRows {
		row, any := []string{r.Label}, false
		for _, s := range sets {
			e, ok := s.of[r.Key]
			any = any || ok
			row = append(row, estimate(e))
			if ok && !e.known() {
				reasons = append(reasons, fmt.Sprintf("%s (%s): %s", r.Label, s.name, e.Why))
			}
		}
		if any {
			t.Rows, t.Notes = append(t.Rows, row), append(t.Notes, r.Read)
		}
	}
	return part{Heading: "Measures", Table: t, List: reasons}
}

func testParts(m Model) []part {
	if m.All.NotAssessed != "" || len(m.All.Bins)+len(m.All.RawBins) == 0 {
		return nil
	}
	bins := &table{Caption: "Equal-mass bins of the calibrated forecast", Head: []string{"mean forecast", "observed rate", "rows"}}
	for _, b := range m.All.Bins {
		bins.Rows = append(bins.Rows, []string{number(b.MeanP), estimate(b.Rate), count(b.Rate.N)})
	}
	return []part{
		{Heading: "Reliability", Figure: &figure{Title: "Forecast against outcome, before and after calibration", drawing: reliability(m.All),
			Guide: "Each dot is a tenth of the test rows, sorted by forecast. On the dashed diagonal, what was forecast is what happened; above it the forecast was too low. " +
				"The bars are Wilson's 95 % intervals row by row: customers with many rows make them look a little too short."}},
		{Table: bins, Folded: "The bins as a table"},
	}
}

func calibratorsPart(m Model) part {
	reasons := []string{}
	t := &table{Caption: "Calibrators, fitted on the calibrate slice, judged on test", Words: 2,
		Head: []string{"calibrator", "used", "Brier", "log loss", "ECE", "left on the table"}}
	for _, c := range m.Calibrators {
		t.Rows = append(t.Rows, []string{c.Name, yesNo(c.Used), estimate(c.Brier), estimate(c.LogLoss), estimate(c.ECE), estimateShort(c.LeftOnTable)})
		if !c.LogLoss.known() && c.LogLoss.Why != "" {
			reasons = append(reasons, "log loss of "+c.Name+": "+c.LogLoss.Why)
		}
	}
	return part{Heading: "Calibrators compared", Table: t, List: reasons,
		Text: "Left on the table = Brier score of the calibrator in use minus this one's: above 0, this one would have been better. Above 0 with its whole interval means that the shape of the error is not the sigmoid Platt can mend."}
}

const drawnCoefficients = 25

func bySize(cs []Coefficient) []Coefficient {
	out := slices.Clone(cs)
	slices.SortStableFunc(out, func(a, b Coefficient) int {
		return cmp.Or(cmp.Compare(b.Value.size(), a.Value.size()), cmp.Compare(a.Name, b.Name))
	})
	return out
}

func coefficientFigure(m Model) part {
	cs := bySize(m.Coefficients)
	cs = cs[:min(len(cs), drawnCoefficients)]
	rows := make([]forestRow, len(cs))
	for i, c := range cs {
		rows[i] = forestRow{c.Name, c.Value, estimate(c.Value)}
	}
	if len(rows) == 0 {
		return part{}
	}
	return part{Heading: "Coefficients", Figure: &figure{Title: fmt.Sprintf("The %d largest of %d coefficients", len(rows), len(m.Coefficients)),
		Guide:   "Change of the log odds for one standard deviation more of the column, everything else equal. To the right: success is likelier. Bars are 95 % intervals; grey = the interval holds 0. With a penalty they are a little too narrow, and correlated columns share their effect.",
		drawing: forest(rows, "log odds per standard deviation", fmt.Sprintf("Coefficient plot. Largest: %s %s.", rows[0].Label, estimate(rows[0].Value)))}}
}

func coefficientTable(m Model) part {
	t := &table{Caption: "Every coefficient, largest first", Head: []string{"coefficient", "group", "per standard deviation", "per unit"}, Words: 2}
	for _, c := range bySize(m.Coefficients) {
		t.Rows = append(t.Rows, []string{c.Name, c.Group, estimate(c.Value), number(c.Raw)})
	}
	return part{Table: t, Folded: "All coefficients as a table"}
}

func droppedPart(m Model) part {
	t := &table{Caption: "Columns left out of the fit, by reason", Head: []string{"why", "columns"}, Words: 2}
	row := map[string]int{}
	for _, d := range m.Dropped {
		i, ok := row[d.Why]
		if !ok {
			i = len(t.Rows)
			row[d.Why] = i
			t.Rows = append(t.Rows, []string{d.Why, d.Column})
			continue
		}
		t.Rows[i][1] += ", " + d.Column
	}
	p := part{Heading: "Dropped columns", Table: t}
	if len(m.Dropped) > 20 {
		p.Folded = fmt.Sprintf("%d columns, by reason", len(m.Dropped))
	}
	return p
}

func blocksPart(m Model) part {
	bs := slices.Clone(m.Blocks)
	slices.SortStableFunc(bs, func(a, b Block) int {
		x, y := a.Worth, b.Worth
		if x.known() != y.known() {
			return b2i(y.known()) - b2i(x.known())
		}
		if !x.known() {
			return 0
		}
		return cmp.Compare(*y.Value, *x.Value)
	})
	rows := make([]forestRow, len(bs))
	for i, b := range bs {
		rows[i] = forestRow{fmt.Sprintf("%s (%d)", b.Name, b.Columns), b.Worth, estimateShort(b.Worth)}
	}
	if len(rows) == 0 {
		return part{}
	}
	return part{Heading: "What each block of columns is worth", Figure: &figure{Title: "Test Brier score without the block, minus with it",
		Guide:   "To the right: the model is better with the block. Grey = the interval holds 0: on this data the block has not shown its worth. In brackets: coefficients in the block. Blocks that carry the same knowledge cover for one another.",
		drawing: forest(rows, "Brier score lost without the block", fmt.Sprintf("Block ablation. Worth most: %s %s.", rows[0].Label, estimate(rows[0].Value)))}}
}
