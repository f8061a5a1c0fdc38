package report

// Headlines are the verdicts at the top of the page as plain sentences, for a
// terminal: what was decided, and how good each model is.
func Headlines(r *Report) []string {
	var out []string
	for _, v := range layout(r).Verdicts {
		out = append(out, v.About+": "+v.Says)
	}
	return out
}
