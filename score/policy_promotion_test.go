package score

import (
	"strings"
	"testing"

	"recoup/data"
)

// TestPromotionMargin: a file may leave it out, and states it with its source.
func TestPromotionMargin(t *testing.T) {
	if got := Default().PromotionMargin(); got != usualMargin {
		t.Errorf("a policy without a margin: %s", got)
	}
	with := func(section string) (*Policy, error) {
		const before = "\n  escalation: {"
		text := string(DefaultText())
		if strings.Count(text, before) != 1 {
			t.Fatal("the policy's escalation stands elsewhere")
		}
		return ParsePolicy("p.yaml", []byte(strings.Replace(text, before, "\n  promotion: "+section+before, 1)))
	}
	p, err := with("{margin_paise: 12345, source: somebody}")
	if err != nil || p.PromotionMargin() != data.Paise(12345) {
		t.Errorf("%v, %v", p, err)
	}
	if p, err = with("{margin_paise: 0, source: somebody}"); err != nil || p.PromotionMargin() != 0 {
		t.Errorf("0 is a margin: %v, %v", p, err)
	}
	for section, says := range map[string]string{
		"{margin_paise: 5}":                     "source",
		"{margin_paise: -1, source: x}":         "margin_paise",
		"{margin: 5, source: x}":                "unknown key",
		"{margin_paise: 1.5, source: somebody}": "margin_paise",
	} {
		if _, err := with(section); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", section, err)
		}
	}
}
