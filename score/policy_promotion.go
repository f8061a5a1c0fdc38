package score

import (
	"github.com/goccy/go-yaml/ast"

	"recoup/data"
)

// promotionPolicy says what a new model may cost at worst.
type promotionPolicy struct {
	margin data.Paise // a case
}

// usualMargin holds where a policy file says nothing of promotion: own choice, some
// three in a hundred of what a failed charge of the simulated worlds brings.
const usualMargin = data.Paise(50_00)

// PromotionMargin is how much less than the champion a challenger may bring a case, at
// the lower end of the interval of their paired off-policy difference, and still be
// promoted.
func (p *Policy) PromotionMargin() data.Paise {
	if m := p.choice.promotion; m != nil {
		return m.margin
	}
	return usualMargin
}

// promotion reads the section of the same name, which a file may leave out.
func (y *yamlFile) promotion(n ast.Node, to **promotionPolicy) {
	p := &promotionPolicy{}
	y.sourced(n, "promotion", keys{"margin_paise": y.paise("promotion: margin_paise", &p.margin)})
	*to = p
}
