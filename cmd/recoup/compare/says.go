package compare

import (
	"fmt"
	"strings"

	"recoup/api/report"
)

// says is what came out in sentences; they follow from the figures.
func (r *Report) says() (out []string) {
	first, last := &r.Shifts[0], &r.Shifts[len(r.Shifts)-1]
	for _, hand := range []string{Flat, Calendar, Bandit, LogisticT, Model, OwnDay} {
		a, b := first.line(hand), last.line(hand)
		if a == nil || b == nil || a.Over.Value == nil {
			continue
		}
		out = append(out, fmt.Sprintf("The %s recovers %s where the world is as before, %s at shift %g; %s.", hand, against(a.Over), against(b.Over), last.Shift, r.where(hand)))
		if text := r.when(hand); text != "" {
			out = append(out, text)
		}
	}
	for i := range r.Shifts {
		s := &r.Shifts[i]
		if l := s.line(Anew); i > 0 && l != nil && l.Chance.Value != nil {
			out = append(out, fmt.Sprintf("At shift %g the same rules, tuned anew there by true chances, gain %s points of true chance over those tuned before: what contexts like theirs can teach is no more.", s.Shift, signed(l.Chance)))
		}
	}
	if b := first.line(Oracle); b != nil && b.Over.Value != nil {
		out = append(out, fmt.Sprintf("Who knew every true chance would recover %s where the world is as before.", against(b.Over)))
	}
	if l := first.line(Ladder); l != nil && l.Over.Value != nil {
		out = append(out, fmt.Sprintf("The fixed ladder recovers %s there; each hand has %s.", against(l.Over), retries(r.Setting.Attempts)))
	}
	return out
}

// line is that of a hand; nil = it did not play.
func (s *Shift) line(hand string) *Line {
	for i := range s.Lines {
		if s.Lines[i].Hand == hand {
			return &s.Lines[i]
		}
	}
	return nil
}

// where says at which shift a hand crosses the tuned rules.
func (r *Report) where(hand string) string {
	for _, c := range r.Crossing {
		if c.Hand != hand {
			continue
		}
		text := "by what was paid it " + crossing(c.From, c.Sure)
		if r.Setting.Attempts == 1 {
			text += "; by the true chances of the slots that it chose it " + crossing(c.FromChance, c.SureChance)
		}
		return text
	}
	return "it was not set against them"
}

func crossing(from, sure *float64) string {
	switch {
	case from == nil:
		return "never crosses them"
	case sure == nil:
		return fmt.Sprintf("is above them from shift %g on by the mean, for sure at none", *from)
	}
	return fmt.Sprintf("is above them from shift %g on by the mean, for sure from %g on", *from, *sure)
}

// when says from which month on a bandit is ahead.
func (r *Report) when(hand string) string {
	if hand != Flat && hand != Calendar && hand != Bandit && hand != LogisticT {
		return ""
	}
	var parts []string
	for i := range r.Shifts {
		s := &r.Shifts[i]
		l := s.line(hand)
		switch {
		case l.Ahead == nil:
			parts = append(parts, fmt.Sprintf("never at shift %g", s.Shift))
		case l.Even == nil:
			parts = append(parts, fmt.Sprintf("from month %d on at shift %g, too late to make good what it lost", *l.Ahead, s.Shift))
		case *l.Even <= *l.Ahead:
			parts = append(parts, fmt.Sprintf("from month %d on at shift %g, and behind in sum in none from month %d on", *l.Ahead, s.Shift, *l.Even))
		default:
			parts = append(parts, fmt.Sprintf("from month %d on at shift %g (what it lost is made good by month %d)", *l.Ahead, s.Shift, *l.Even))
		}
	}
	return "Month by month the " + hand + " is ahead of the tuned rules " + strings.Join(parts, ", ") + "."
}

func signed(e report.Estimate) string {
	text := fmt.Sprintf("%+.2f", *e.Value*100)
	if e.Lo != nil && e.Hi != nil {
		text += fmt.Sprintf(" (95 %% interval %+.2f to %+.2f)", *e.Lo*100, *e.Hi*100)
	}
	return text
}

func retries(n int) string {
	if n == 1 {
		return "one retry a case"
	}
	return fmt.Sprintf("%d retries a case", n)
}

// against says how a difference of recovery stands to the tuned rules.
func against(e report.Estimate) string {
	v, word := *e.Value*100, "more"
	if v < 0 {
		v, word = -v, "fewer"
	}
	if v < .05 {
		v, word = 0, "more or fewer"
	}
	text := fmt.Sprintf("%.1f points %s of the cases than the tuned rules", v, word)
	if e.Lo == nil || e.Hi == nil {
		return text
	}
	text += fmt.Sprintf(" (95 %% interval %+.1f to %+.1f", *e.Lo*100, *e.Hi*100)
	if *e.Lo <= 0 && *e.Hi >= 0 {
		text += ", so perhaps nothing"
	}
	return text + ")"
}
