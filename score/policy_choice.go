package score

import (
	"github.com/goccy/go-yaml/ast"

	"recoup/data"
)

// choicePolicy holds the numbers of the choice among what the gate allows, and of
// who makes it.
type choicePolicy struct {
	customer    data.Paise // what a customer is worth
	hazards     []int64    // that one more contact loses him, in 10,000, by contacts in 7 days; the last holds for more
	again       int64      // permille: a further attempt against the one before it
	gap, rest   int        // days until the next attempt, after an attempt and after a contact
	risk        riskPolicy
	escalations int   // a day
	recovers    int64 // permille of what is still owed that an escalation brings; 0 = nobody measured it
	shares      [data.ArmControl + 1]int64
	explorer    explorerPolicy
	breaker     Limits
	promotion   *promotionPolicy // nil = the file does not say
}

// riskPolicy weighs the signs of risk, in permille.
type riskPolicy struct {
	threshold                          int64
	attempts, amount, mandate, refunds riskPart
}

// riskPart makes permille of a number: each for every one beyond from, at most most.
type riskPart struct{ from, each, most int64 }

// explorerPolicy says how the explorer draws, and how much of it there is in a day.
type explorerPolicy struct {
	mode     ExplorerMode
	formula  string // of proposals
	floor    int64  // permille, of each candidate
	softness int64  // permille of the amount: so much less value makes a candidate e times rarer
	attempts int
	paise    data.Paise
}

// ExplorerMode says what becomes of the explorer's cases.
type ExplorerMode uint8

// The modes.
const (
	ExplorerOn      ExplorerMode = iota + 1
	ExplorerMonitor              // decided and logged, answered with waiting
	ExplorerOff                  // the rules arm answers
)

var (
	explorerModes = map[string]ExplorerMode{"on": ExplorerOn, "monitor": ExplorerMonitor, "off": ExplorerOff}
	formulas      = map[string]string{Uniform: Uniform, Softened: Softened}
)

// choice reads the section of the same name.
func (y *yamlFile) choice(n ast.Node, c *choicePolicy) {
	y.mapping(n, "choice", keys{
		"customer": func(n ast.Node) {
			y.sourced(n, "customer", keys{"paise": y.paise("customer: paise", &c.customer)})
		},
		"fatigue": func(n ast.Node) {
			y.sourced(n, "fatigue", keys{"hazards": func(n ast.Node) {
				for _, h := range y.numbers(n, "fatigue: hazards", 0, 10_000) {
					c.hazards = append(c.hazards, int64(h))
				}
			}})
		},
		"later": func(n ast.Node) {
			y.sourced(n, "later", keys{
				"again":     func(n ast.Node) { c.again = y.permille(n, "later: again") },
				"gap_days":  func(n ast.Node) { c.gap = int(y.whole(n, "later: gap_days", 1, 31)) },
				"rest_days": func(n ast.Node) { c.rest = int(y.whole(n, "later: rest_days", 1, 31)) },
			})
		},
		"risk": func(n ast.Node) { y.risk(n, &c.risk) },
		"escalation": func(n ast.Node) {
			y.sourced(n, "escalation", keys{
				"per_day":  func(n ast.Node) { c.escalations = int(y.whole(n, "escalation: per_day", 0, 1e6)) },
				"recovers": func(n ast.Node) { c.recovers = y.permille(n, "escalation: recovers") },
			})
		},
		"arms":      func(n ast.Node) { y.arms(n, &c.shares) },
		"explorer":  func(n ast.Node) { y.explorer(n, &c.explorer) },
		"breaker":   func(n ast.Node) { y.breaker(n, &c.breaker) },
		"promotion": func(n ast.Node) { y.promotion(n, &c.promotion) },
	}, "promotion")
}

func (y *yamlFile) paise(what string, to *data.Paise) func(ast.Node) {
	return func(n ast.Node) { *to = data.Paise(y.whole(n, what, 0, 1e15)) }
}

func (y *yamlFile) risk(n ast.Node, r *riskPolicy) {
	part := func(name string, to *riskPart) func(ast.Node) {
		return func(n ast.Node) {
			what := "risk: " + name
			y.mapping(n, what, keys{
				"from": func(n ast.Node) { to.from = y.whole(n, what+": from", 0, 1e6) },
				"each": func(n ast.Node) { to.each = y.whole(n, what+": each", 0, 1000) },
				"most": func(n ast.Node) { to.most = y.whole(n, what+": most", 0, 1000) },
			})
		}
	}
	y.sourced(n, "risk", keys{
		"threshold": func(n ast.Node) { r.threshold = y.whole(n, "risk: threshold", 1, 4001) },
		"attempts":  part("attempts", &r.attempts),
		"amount":    part("amount", &r.amount),
		"mandate":   part("mandate", &r.mandate),
		"refunds":   part("refunds", &r.refunds),
	})
}

// arms reads the shares of the cases that each arm gets: together exactly 1.
func (y *yamlFile) arms(n ast.Node, shares *[data.ArmControl + 1]int64) {
	k, sum := keys{}, int64(0)
	for a := data.ArmRules; a <= data.ArmControl; a++ {
		k[a.String()] = func(n ast.Node) {
			shares[a] = y.permille(n, "arms: "+a.String())
			sum += shares[a]
		}
	}
	y.sourced(n, "arms", k)
	if sum != 1000 {
		y.fault(n, "arms: the shares sum to %d thousandths: expected 1000", sum)
	}
}

func (y *yamlFile) explorer(n ast.Node, x *explorerPolicy) {
	y.sourced(n, "explorer", keys{
		"mode":             func(n ast.Node) { x.mode = yamlWord(y, n, "explorer: mode", explorerModes) },
		"formula":          func(n ast.Node) { x.formula = yamlWord(y, n, "explorer: formula", formulas) },
		"floor":            func(n ast.Node) { x.floor = y.permille(n, "explorer: floor") },
		"softness":         func(n ast.Node) { x.softness = y.permille(n, "explorer: softness") },
		"attempts_per_day": func(n ast.Node) { x.attempts = int(y.whole(n, "explorer: attempts_per_day", 0, 1e9)) },
		"paise_per_day":    y.paise("explorer: paise_per_day", &x.paise),
	})
	if x.floor < 1 || x.softness < 1 {
		y.fault(n, "explorer: floor and softness are at least 0.001: what cannot be drawn teaches nothing")
	}
}

func (y *yamlFile) breaker(n ast.Node, l *Limits) {
	count := func(what string, to *int) func(ast.Node) {
		return func(n ast.Node) { *to = int(y.whole(n, what, 1, 1e9)) }
	}
	y.sourced(n, "breaker", keys{
		"debit": func(n ast.Node) {
			y.mapping(n, "breaker: debit", keys{"attempts": count("debit: attempts", &l.DebitAttempts), "paise": y.paise("debit: paise", &l.DebitPaise)})
		},
		"run": func(n ast.Node) {
			y.mapping(n, "breaker: run", keys{"attempts": count("run: attempts", &l.RunAttempts), "paise": y.paise("run: paise", &l.RunPaise),
				"escalations": count("run: escalations", &l.RunEscalations)})
		},
		"warn_at": func(n ast.Node) { l.WarnAt = y.permille(n, "breaker: warn_at") },
	})
}
