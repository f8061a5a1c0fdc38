package doctor

import (
	"fmt"
	"strings"

	"recoup/data"
)

// checkDecisions looks at what off-policy evaluation needs: decisions with
// exact propensities, some of them drawn, and outcomes that have matured.
func (e *exam) checkDecisions(*Report) []Finding {
	c := &e.decisions
	if c.rows == 0 {
		return []Finding{{Check: "decisions", Level: Note, What: "none", Why: "off-policy evaluation needs to know what else could have been done, and how likely it was",
			Do: "let recoup decide for a share of the cases (the explorer arm): propensities are then logged"}}
	}
	var out []Finding
	bad := func(n int64, what, why string) {
		if n > 0 {
			out = append(out, Finding{Check: "propensities", Level: Stop, N: n, Share: of(n, c.rows), What: fmt.Sprintf("%d decisions (%s): %s", n, percent(n, c.rows), what), Why: why})
		}
	}
	bad(c.noOptions, "nothing that was allowed, or nothing that was chosen, is on record", "without the alternatives there is nothing to weigh")
	bad(c.sumWrong, "the propensities of the allowed options do not sum to 1", "weights made from them are wrong, and so is every estimate")
	bad(c.chosenZero, "the option that was chosen has propensity 0", "it could not have been drawn: the log contradicts itself")
	bad(c.shareWrong, "the share of the arm is not in (0, 1]", "arms cannot be pooled")
	var arms []string
	for a := data.ArmRules; a <= data.ArmControl; a++ {
		if n := c.arms[a]; n > 0 {
			arms = append(arms, fmt.Sprintf("%s %s", a, percent(n, c.rows)))
		}
	}
	level, why, do := OK, "", ""
	if c.drawn == 0 {
		level, why, do = Stop, "where nothing was left to chance the log says nothing about other choices", "give the explorer arm a share of the cases"
	}
	out = append(out, Finding{Check: "decisions", Level: level, N: c.drawn, Share: of(c.drawn, c.rows), Why: why, Do: do,
		What: fmt.Sprintf("%d, of %d loggers; %s were drawn from more than one option; arms: %s", c.rows, len(c.loggers), percent(c.drawn, c.rows), strings.Join(arms, ", "))})
	f := Finding{Check: "outcomes", Level: OK, N: c.closed, Share: of(c.closed, c.rows), What: fmt.Sprintf("%s of the decisions have an outcome whose window has closed", percent(c.closed, c.rows))}
	if c.closed == 0 {
		f.Level, f.Why, f.Do = Stop, "only matured decisions can be judged", "report outcomes, and wait until their windows close"
	}
	return append(out, f)
}
