package pages

import (
	"cmp"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"regexp"
	"slices"

	"recoup/data"
	"recoup/score"
)

// answer is a decision as the page shows it.
type answer struct {
	Does     string // the chosen action, in words
	When     string // its time, "" = now
	Why      string
	Facts    []fact
	Best     []candidate // by EV, best first
	Rest     []candidate
	Plot     template.HTML // "" = no model spoke
	PlotSays string
	Refusals []refusal
	Warnings []string
	Body     string
	Command  string
}

type fact struct{ Label, Value string }

type candidate struct {
	Does, When, P, Uplift, EV, Cost string
	Chosen                          bool
}

// shown is how many candidates stand above the fold.
const shown = 12

func answerOf(d *score.Decision) (*answer, error) {
	if d.Chosen < 0 || d.Chosen >= len(d.Allowed) {
		return nil, fmt.Errorf("pages: a decision that chose %d of %d", d.Chosen, len(d.Allowed))
	}
	best := d.Allowed[d.Chosen]
	a := &answer{Does: does(best.Action, best.Kind), Why: why(d), Facts: facts(d)}
	if best.Action != data.Wait {
		a.When = ist(best.At) + " IST"
	}
	order := make([]int, len(d.Allowed))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return byWorth(d.Allowed[i], d.Allowed[j]) })
	for _, i := range order {
		row := candidateOf(d.Allowed[i])
		row.Chosen = i == d.Chosen
		a.Best = append(a.Best, row)
	}
	if len(a.Best) > shown+3 {
		a.Best, a.Rest = a.Best[:shown], a.Best[shown:]
	}
	for _, w := range d.Warnings {
		a.Warnings = append(a.Warnings, plainly(errors.New(w)))
	}
	a.Refusals = refusalsOf(d.Refusals)
	a.Plot, a.PlotSays = plot(d)
	return a, nil
}

// byWorth puts the higher EV first; what no model spoke about stays last.
func byWorth(a, b score.Choice) int {
	switch {
	case a.EV == nil && b.EV == nil:
		return 0
	case a.EV == nil:
		return 1
	case b.EV == nil:
		return -1
	}
	return cmp.Compare(*b.EV, *a.EV)
}

const unknown = "–"

func candidateOf(c score.Choice) candidate {
	out := candidate{Does: does(c.Action, c.Kind), When: day(c.At), P: unknown, Uplift: unknown, EV: unknown, Cost: rupees(c.Cost)}
	if c.Action == data.Wait {
		out.When = unknown
	}
	if c.P != nil {
		out.P = percent(*c.P)
	}
	if c.Uplift != nil {
		out.Uplift = points(*c.Uplift)
	}
	if c.EV != nil {
		out.EV = rupees(*c.EV)
	}
	return out
}

func does(a data.Action, kind data.Route) string {
	if kind == 0 {
		return actionWords[a]
	}
	return actionWords[a] + ": " + routeWords[kind]
}

// why says in a sentence or two what made the chosen candidate the best.
func why(d *score.Decision) string {
	c := d.Allowed[d.Chosen]
	horizon := "within " + span(d.Horizon) + " of its first failure"
	switch {
	case d.ModelID == "" && d.Arm != data.ArmControl && d.Arm != data.ArmExplorer:
		return "No model answers, so the hand-written rule of class " + orElse(d.Class.String(), noClass) + " chose among what the gate allows."
	case d.Arm == data.ArmExplorer:
		return "The explorer drew it among what the gate allows, to learn: what it draws is what later estimates rest on."
	case d.Arm == data.ArmControl:
		return "The merchant's own ladder chose it, inside the gate, for comparison."
	case d.Arm != data.ArmModel || c.P == nil || c.Uplift == nil || c.EV == nil:
		return "The hand-written rule of class " + orElse(d.Class.String(), noClass) + " decides here, not the model; below it says why."
	case c.Action == data.Wait && len(d.Allowed) == 1:
		return "Nothing else is allowed. The chance that it is paid " + horizon + " without doing anything is " + percent(*c.P) + "."
	case c.Action == data.Wait:
		return "Nothing that is allowed is worth its cost. The chance that it is paid " + horizon + " without doing anything is " + percent(*c.P) + "."
	}
	return fmt.Sprintf("The chance that it is paid %s becomes %s, %s points over waiting. Of %s that is worth %s after a cost of %s: the most of the %d candidates that are allowed.",
		horizon, percent(*c.P), points(*c.Uplift), rupees(d.Amount), rupees(*c.EV), rupees(c.Cost), len(d.Allowed))
}

// modelOf is the model's id and what it is made of, where that is known.
func modelOf(d *score.Decision) string {
	switch {
	case d.ModelID == "":
		return "none"
	case d.ModelKind == "":
		return d.ModelID
	}
	return d.ModelID + ", " + d.ModelKind
}

func facts(d *score.Decision) []fact {
	return []fact{
		{"Class", orElse(d.Class.String(), noClass)},
		{"Arm", d.Arm.String()},
		{"Gate", d.Gate},
		{"Model", modelOf(d)},
		{"Policy", orElse(d.PolicyID, "none")},
		{"As of", ist(d.AsOf.KnownAt) + " IST"},
	}
}

var plainHost = regexp.MustCompile(`^[A-Za-z0-9.\-]+(:[0-9]{1,5})?$|^\[[0-9A-Fa-f:]+\](:[0-9]{1,5})?$`)

// command asks the API the same question from a shell. The body stands in a
// quoted here-document, which no text of one JSON line can end.
func command(r *http.Request, body []byte) string {
	scheme, host := "http", r.Host
	if r.TLS != nil {
		scheme = "https"
	}
	if !plainHost.MatchString(host) {
		host = "localhost:8080"
	}
	return "curl -sS " + scheme + "://" + host + "/v1/decide -H 'Content-Type: application/json' --data-binary @- <<'JSON'\n" + string(body) + "\nJSON"
}
