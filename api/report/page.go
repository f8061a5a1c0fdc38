package report

// page is a report laid out for reading; HTML and Markdown print the same one.
type page struct {
	Title    string
	Lead     string
	Verdicts []verdict
	Tiles    []tile
	Sections []section
}

// tile is one headline number.
type tile struct{ Label, Value, Note string }

type section struct {
	ID, Nav, Title string
	Parts          []part
}

// part is a piece of a section; what is empty is not shown.
type part struct {
	Heading string
	Text    string
	Beside  string // a page in the same folder, without its ending; "" = none
	List    []string
	Table   *table
	Figure  *figure
	Folded  string // a table too long for the eye: the line that unfolds it
}

// table is rows of cells; the first Words columns are text, the rest numbers.
type table struct {
	Caption string
	Head    []string
	Words   int
	Rows    [][]string
	Notes   []string // under the first cell of the row of the same index; nil = none
}

// figure is a picture with what it shows and how to read it.
type figure struct {
	Title string
	Guide string
	drawing
}

// layout is the order in which a report is read: what came out, from what, how
// good, what was not looked at.
func layout(r *Report) page {
	p := page{
		Title: "Recovery model report",
		Lead:  "As of " + when(r.AsOf) + ". How well P(recover | state, action, time) is known, from which data, and what was decided. Intervals are 95 %.",
		Tiles: tiles(r),
	}
	for _, v := range []verdict{
		judgeDecision(r.Decision),
		judge(attemptName(r), r.Attempt), judgeCalibration(attemptName(r)+", calibration", r.Attempt),
		judge("Cure model", r.Cure), judgeCalibration("Cure model, calibration", r.Cure),
		judgeHazard(r.Recovery),
	} {
		if v.Says != "" {
			p.Verdicts = append(p.Verdicts, v)
		}
	}
	for i := range r.Contenders {
		if i > 0 {
			p.Verdicts = append(p.Verdicts, judgeContender(r, &r.Contenders[i]))
		}
	}
	if o := r.Oracle; o != nil {
		p.Verdicts = append(p.Verdicts, judgeCeiling("Attempt model against the truth", o.Attempt), judgeCeiling("Cure model against the truth", o.Cure))
	}
	p.Sections = append(p.Sections, dataSection(r))
	p.Sections = append(p.Sections, decisionSection(r.Decision))
	if s := contendersSection(r); len(s.Parts) > 0 {
		p.Sections = append(p.Sections, s)
	}
	p.Sections = append(p.Sections, modelSection("attempt", "Attempt model", "Attempt model: does this retry capture?", r.Attempt))
	p.Sections = append(p.Sections, modelSection("cure", "Cure model", "Cure model: does the customer pay without us?", r.Cure))
	p.Sections = append(p.Sections, recoverySection(r.Recovery))
	if r.Oracle != nil {
		p.Sections = append(p.Sections, oracleSection(r.Oracle))
	}
	if r.Ope != nil {
		p.Sections = append(p.Sections, opeSections(r.Ope)...)
	}
	p.Sections = append(p.Sections, openSection(r))
	return p
}

// attemptName says which of several attempt models the report tells of in full.
func attemptName(r *Report) string {
	if len(r.Contenders) < 2 {
		return "Attempt model"
	}
	return "Attempt model, " + r.Contenders[0].Kind
}

func tiles(r *Report) []tile {
	a := r.Attempt
	if a.NotAssessed != "" || a.All.NotAssessed != "" {
		return nil
	}
	return []tile{
		{"test rows", count(a.All.Rows), count(a.All.Positives) + " successes, " + count(a.All.Customers) + " customers"},
		{"base rate, test", percent(a.BaseRates.Test), "train " + percent(a.BaseRates.Train)},
		{"Brier score", estimate(a.All.Calibrated["brier"]), attemptNote(r)},
		{"Brier skill", percent(a.All.Calibrated["brier_skill_train"]), "over the train rate"},
		{"ROC AUC", estimate(a.All.Calibrated["roc_auc"]), "0.5 is a coin"},
		{"ECE", estimate(a.All.Calibrated["ece_mass"]), "noise floor " + estimate(a.All.Calibrated["ece_noise_floor"])},
	}
}

// attemptNote is what stands under the attempt model's numbers.
func attemptNote(r *Report) string {
	if len(r.Contenders) < 2 {
		return "attempt model, calibrated"
	}
	return r.Contenders[0].Kind + ", calibrated"
}
