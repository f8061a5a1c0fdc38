package report

import "fmt"

// layoutBracket is the order in which a bracket is read: what was measured stands
// before what is estimated, and how far to trust it before how good it looks.
func layoutBracket(b *Bracket) page {
	p := page{
		Title: "What each policy is worth",
		Lead: fmt.Sprintf("As of %s%s. Measured: %s cases of %s customers whose %s days are over, first decided from %s to %s; estimated from the first decisions of %s of them, of %s customers. Rupees a case, net of costs; intervals are 95 %%, by customer, and estimated ones wider where the customers of a bank share a week of outages.",
			when(b.AsOf), inBrackets(b.AsOfWhy), count(b.Decided.Measured), count(b.Decided.MeasuredOf), setting(b.HorizonDays), when(b.Decided.First), when(b.Decided.Last), count(b.Decided.Rows), count(b.Decided.RowsOf)),
	}
	if v := judgeSample(b.Live); v.Says != "" {
		p.Verdicts = append(p.Verdicts, v)
	}
	if b.NotAssessed != "" {
		p.Verdicts = append(p.Verdicts, verdict{open, "Off-policy evaluation", "Not assessed: " + b.NotAssessed + "."})
	}
	for _, name := range append([]string{"incumbent"}, shownPolicies(b)...) {
		if l := b.Line(name); l != nil {
			p.Verdicts = append(p.Verdicts, judgeLine(*l))
		}
	}
	p.Sections = append(p.Sections, liveSection(b.Live))
	if b.NotAssessed == "" {
		p.Sections = append(p.Sections, linesSection(b), weightsSection(b), segmentsSection(b), sensitivitySection(b), sequenceSection(b), rewardSection(b))
	}
	p.Sections = append(p.Sections, bracketDataSection(b))
	return p
}

// liveSection holds what was measured.
func liveSection(l Live) section {
	s := section{ID: "live", Nav: "Measured", Title: "Measured: the arms as they were randomised"}
	if l.NotAssessed != "" {
		return with(s, part{Text: "Not assessed: " + l.NotAssessed + "."})
	}
	arms := &table{Caption: "Cases are counted for the arm they were given. Recovered share: Wilson; at every look: an interval that may be looked at as often as one likes, of net rupees from 100 customers on", Words: 1,
		Head: []string{"arm", "share", "cases", "customers", "recovered", "recovered, at every look", "net rupees a case", "net, at every look"}}
	for _, a := range l.Arms {
		share := "changed"
		if a.Share != nil {
			share = setting(*a.Share)
		}
		arms.Rows = append(arms.Rows, []string{a.Arm, share, count(a.Cases), count(a.Customers), percent(a.Recovered), percent(a.Anytime), estimateShort(a.Net), estimateShort(a.NetAnytime)})
	}
	minus := &table{Caption: "Differences between arms. They hold different cases, so nothing is paired but a customer with cases in both; in simulation, recoup experiment plays arms over the same cases and draws and pairs them case by case", Words: 2, Head: []string{"arm", "less", "net rupees a case", "net, at every look", "recovered, at every look"}}
	for _, d := range l.Differences {
		minus.Rows = append(minus.Rows, []string{d.Arm, d.Against, estimateShort(d.Net), estimateShort(d.NetAnytime), percent(d.Anytime)})
	}
	ratio := &table{Caption: "Did the cases come into the arms as the shares say?", Words: 1, Head: []string{"policy", "cases", "arms", "chi-square", "p"}}
	for _, r := range l.Sample {
		chi, p := none, none+" ("+r.Why+")"
		if r.P != nil {
			chi, p = number(*r.Chi2), number(*r.P)
		}
		text := ""
		for i, a := range r.Arms {
			if i > 0 {
				text += ", "
			}
			text += fmt.Sprintf("%s %s of %s", a.Arm, count(a.Cases), setting(a.Share))
		}
		ratio.Rows = append(ratio.Rows, []string{r.Policy, count(r.Cases), text, chi, p})
	}
	return with(s, part{Table: arms}, part{Table: minus}, part{Text: judgeSample(l).Says}, part{Table: ratio})
}

// linesSection is the bracket itself.
func linesSection(b *Bracket) section {
	s := section{ID: "bracket", Nav: "Bracket", Title: "Estimated: the bracket"}
	s = with(s, part{Text: "Each value is that of: " + b.Estimand + ". What a policy over several attempts is worth as a whole stands under Sequences. A red light means that the log cannot tell, whatever the number."})
	if b.Line("oracle") != nil {
		s = with(s, part{Text: OracleSays + "."})
	}
	lines := &table{Words: 2, Head: []string{"policy", "light", "net rupees a case", "less the incumbent", "recovered", "less the incumbent", "headroom captured", "weights worth", "rows that match"},
		Caption: fmt.Sprintf("Doubly robust, on the same %s first decisions; differences are paired", count(b.Decided.Rows)), Notes: []string{}}
	others := &table{Words: 1, Caption: "The same by every estimator, net rupees a case", Head: []string{"policy"}}
	var forestRows []forestRow
	for i := range b.Lines {
		l := &b.Lines[i]
		light := l.Light
		if l.Measured {
			light = "measured"
		}
		note := l.Says
		if l.Alike != "" {
			note = AlikeSays(l.Alike) + ". " + note
		}
		if l.Marks != "" {
			note = l.Marks + ". " + note
		}
		lines.Rows = append(lines.Rows, []string{l.Policy, light, told(l, l.Net), told(l, l.Minus), toldPercent(l, l.Recovered), toldPercent(l, l.RecMinus), percent(l.Headroom),
			fmt.Sprintf("%s (%s)", number(l.ESS), fixed(100*l.ESSFraction, 1)+" %"), count(l.Matched)})
		lines.Notes = append(lines.Notes, note)
		if !l.Measured {
			r := forestRow{Label: title(l.Policy), Value: l.Minus, Note: estimate(l.Minus)}
			if l.red() {
				r.Value, r.Note = Unknown("red"), "cannot tell"
			}
			forestRows = append(forestRows, r)
		}
		row := []string{l.Policy}
		for _, e := range l.Estimators {
			if i == 0 {
				others.Head = append(others.Head, e.Name)
			}
			row = append(row, told(l, e.Value))
		}
		for l.red() && len(row) < len(others.Head) {
			row = append(row, "cannot tell")
		}
		others.Rows = append(others.Rows, row)
	}
	versus := &table{Caption: "Models less the champion, paired, net rupees a case; the light is that of the rows at which the two choose apart, for the others cancel", Words: 3, Head: []string{"model", "compared as", "light", "unlike", "rows that match", "weights worth", "less the champion", "could lose at most"}}
	for _, v := range b.Versus {
		light := v.Light
		if len(v.Why) > 0 {
			light += ": " + Because(v.Why)
		}
		minus := estimateShort(v.Minus)
		if v.Light == "red" {
			minus = "cannot tell"
		}
		versus.Rows = append(versus.Rows, []string{v.Policy + " " + v.Model, v.Of + " less " + v.Against, light, fmt.Sprintf("%s of %s", count(v.Unlike), count(v.Rows)), count(v.Matched), number(v.ESS), minus, fixed(v.Worst, 2)})
	}
	return with(s, part{Table: lines}, part{Table: versus},
		part{Figure: &figure{Title: "Against what was done, net rupees a case", drawing: forest(forestRows, "rupees a case less the incumbent", "Net rupees a case of each policy less the incumbent, with 95 % intervals by customer."),
			Guide: "A policy whose interval lies right of 0 brings more than what was done. Red ones have no dot: the log cannot tell."}},
		part{Table: others, Folded: "Every estimator side by side"})
}

// AlikeSays is what a reader must know of two lines with the same numbers.
func AlikeSays(other string) string {
	if other == "incumbent" {
		return "Is the incumbent: at every first decision it does what was done, so the two rows are one"
	}
	return "Chooses as " + other + " does at every first decision of this log, so the two rows are one"
}

// OracleSays is what the oracle's row is.
const OracleSays = "The oracle chooses by the simulation's truth, and its value is an estimate from this log like every other row's: it is not the true value, and may lie above or below it"

// inBrackets is a remark behind something; nothing where there is none.
func inBrackets(s string) string {
	if s == "" {
		return ""
	}
	return " (" + s + ")"
}

// told is a number of a line; a red one has none.
func told(l *Line, e Estimate) string {
	if l.red() {
		return "cannot tell"
	}
	return estimateShort(e)
}

func toldPercent(l *Line, e Estimate) string {
	if l.red() {
		return "cannot tell"
	}
	return percentWhy(e)
}

// bracketDataSection says what the page rests on.
func bracketDataSection(b *Bracket) section {
	d := b.Decided
	from := "from the beginning"
	if b.From != "" {
		from = "from " + when(b.From) + ": " + b.FromWhy
	}
	facts := &table{Caption: "What it rests on", Head: []string{"fact", "value"}, Words: 2, Rows: [][]string{
		{"decisions known", count(d.Known)},
		{"cases that count", from},
		{"left out, begun before", count(d.Before)},
		{"left out, window open", count(d.Open)},
		{"left out of the estimates, another arm answered or only monitored", fmt.Sprintf("%s decisions of %s cases", count(d.Fallback), count(d.FellBack))},
		{"left out, no outcome reported", count(d.Unreported)},
		{"judged", fmt.Sprintf("%s decisions of %s cases of %s customers", count(d.Judged), count(d.Cases), count(d.Customers))},
		{"reward", "paid within " + setting(b.HorizonDays) + " days after the decision, less what it and the later ones of its case cost"},
		{"behaviour policies", "as logged: the probability of each candidate after the gate, over all arms"},
		{"gate", "policy " + b.PolicyID + ": what it refuses no policy here does"},
		{"intervals", fmt.Sprintf("%s draws of whole customers, seed %d; by the normal law where none were drawn", count(int64(b.Draws)), b.Seed)},
		{"manifest, sha256", digest(b.ManifestHash)},
	}}
	s := with(section{ID: "data", Nav: "Data", Title: "Data and validity"}, part{Table: facts})
	s = with(s, part{Heading: "Loggers", List: b.Loggers})
	if len(b.Warnings) > 0 {
		s = with(s, part{Heading: "Warnings", List: b.Warnings})
	}
	return s
}

// opeSections are what the night's report shows of the bracket: what was measured, and
// the values. ope.html beside it has the rest.
func opeSections(b *Bracket) []section {
	live, data := liveSection(b.Live), bracketDataSection(b)
	data.ID, data.Nav, data.Title = "ope-data", "Its data", "What the policies are judged by"
	if b.NotAssessed != "" {
		live = with(live, part{Heading: "Off-policy evaluation", Text: "Not assessed: " + b.NotAssessed + "."})
		return []section{live, data}
	}
	lines := linesSection(b)
	return []section{live, with(lines, part{Text: "Weights, overlap, segments, sensitivity, sequences and the reward model stand on a page of their own.", Beside: "ope"}), data}
}
