package report

import "fmt"

// dataSection says what the report was made from.
func dataSection(r *Report) section {
	d := r.Data
	facts := &table{Caption: "The log, as far as it was visible", Head: []string{"fact", "value"}, Words: 2, Rows: [][]string{
		{"events", when(d.First) + " to " + when(d.Last)},
		{"cases", count(d.Cases)},
		{"customers", count(d.Customers)},
		{"attempts", fmt.Sprintf("%s, of them %s retries", count(d.Attempts), count(d.Retries))},
		{"attempt-model rows", fmt.Sprintf("%s; %s left out, their window still open", count(d.AttemptRows), count(d.AttemptsOpen))},
		{"attempt window", d.AttemptWindow},
		{"cure-model rows", fmt.Sprintf("%s person-days; %s left out, their window still open", count(d.PeriodRows), count(d.PeriodsOpen))},
		{"censoring", count(d.CensoredCases) + " failures were cut short by a new attempt"},
		{"horizon T", setting(d.HorizonDays) + " days"},
		{"currency", d.Currency},
		{"known_at", knownAt(d.KnownAtAssumed)},
		{"manifest, sha256", digest(d.ManifestHash)},
	}}
	for _, f := range d.FeatureSchemas {
		facts.Rows = append(facts.Rows, []string{"features: " + f.Name, fmt.Sprintf("%d columns, %d blocks, fingerprint %s", f.Columns, f.Blocks, digest(f.Fingerprint))})
	}
	tables := &table{Caption: "Rows by table", Head: []string{"table", "rows"}, Words: 1}
	for _, t := range d.Tables {
		tables.Rows = append(tables.Rows, []string{t.Table, count(t.Rows)})
	}
	s := with(section{ID: "data", Nav: "Data", Title: "Data"}, part{Table: facts}, part{Table: tables}, part{List: d.Notes})
	return with(s, splitParts(r.Splits)...)
}

func splitParts(splits []Split) []part {
	t := &table{Caption: "By presentation time, oldest first; the gaps are the embargo of one attempt window", Words: 3,
		Head: []string{"slice", "from", "to", "attempt rows", "captured", "person-days", "cured"}}
	for _, p := range splits {
		t.Rows = append(t.Rows, []string{p.Name, when(p.From), when(p.To), count(p.AttemptRows), count(p.AttemptPositives), count(p.PeriodRows), count(p.PeriodPositives)})
	}
	return []part{
		{Heading: "Slices of time", Figure: &figure{Title: "Slices of time", drawing: timeline(splits),
			Guide: "Each slice does one job: warm-up is history only, train fits, select chooses the penalty, calibrate fits Platt, test judges. Nothing on the right was seen by anything on its left."}},
		{Table: t},
	}
}

func knownAt(assumed bool) string {
	if assumed {
		return "ASSUMED equal to occurred_at: the source does not say when an event could have been known, so a leak through late events cannot be excluded"
	}
	return "recorded in the log"
}

// decisionSection lists the conditions of promotion.
func decisionSection(d Decision) section {
	t := &table{Caption: "Conditions of promotion", Head: []string{"check", "passed", "why"}, Words: 3}
	for _, c := range d.Checks {
		passed := "not assessed"
		if c.Passed != nil {
			passed = yesNo(*c.Passed)
		}
		t.Rows = append(t.Rows, []string{c.Name, passed, c.Why})
	}
	ids := &table{Caption: "Who was compared", Head: nil, Words: 2, Rows: [][]string{
		{"challenger", kinded(d.Challenger, d.Kind)},
		{"champion before", kinded(orNone(d.Champion), d.ChampionKind)},
		{"compared with", d.Against},
		{"Brier difference, above 0 = challenger better", estimateWhy(d.Difference)},
	}}
	return with(section{ID: "decision", Nav: "Promotion", Title: "Promotion"}, part{Text: judgeDecision(d).Says}, part{Table: ids}, part{Table: t})
}

// openSection lists what a reader might miss.
func openSection(r *Report) section {
	t := &table{Caption: "What this report does not say", Head: []string{"not assessed", "why"}, Words: 2}
	for _, n := range r.NotAssessed {
		t.Rows = append(t.Rows, []string{n.What, n.Why})
	}
	s := with(section{ID: "open", Nav: "Not assessed", Title: "Not assessed, and warnings"}, part{Table: t})
	if len(r.Warnings) > 0 {
		s = with(s, part{Heading: "Warnings", List: r.Warnings})
	}
	return s
}

// with appends parts that have something to show.
func with(s section, parts ...part) section {
	for _, p := range parts {
		if p.Table != nil && len(p.Table.Rows) == 0 {
			p.Table = nil
		}
		if p.Figure != nil && p.Figure.SVG == "" {
			p.Figure = nil
		}
		if p.Text != "" || len(p.List) > 0 || p.Table != nil || p.Figure != nil {
			s.Parts = append(s.Parts, p)
		}
	}
	return s
}

// estimateWhy is an estimate or the reason there is none.
func estimateWhy(e Estimate) string {
	switch {
	case !e.known() && e.Why != "":
		return none + " (" + e.Why + ")"
	case e.known() && e.N > 0:
		return estimate(e) + ", " + nOf(e)
	}
	return estimate(e)
}

// kinded is a model's id with what it is made of, where that is known.
func kinded(id, kind string) string {
	if kind == "" {
		return id
	}
	return id + " (" + kind + ")"
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
