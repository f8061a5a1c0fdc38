package pages

import (
	"fmt"
	"strings"

	"recoup/data"
)

// rowWords is a row of the event log in words; a fact without a value is not stated.
func rowWords(row any) (kind, says string, more []fact) {
	switch r := row.(type) {
	case *data.Attempt:
		kind, says = "Attempt", fmt.Sprintf("No. %d, %s: %s", r.AttemptNo, rupees(r.Amount), spoken(r.Status.String()))
		if r.AttemptNo == 0 {
			says = fmt.Sprintf("The charge itself, %s: %s", rupees(r.Amount), spoken(r.Status.String()))
		}
		more = []fact{{"Reason", r.Reason.String()}, {"Rail", railWords[r.Rail]}, {"Bank", r.Bank}, {"Network", r.Network}, {"By", r.Initiator.String()}, {"Attempt", r.AttemptID},
			{"Code", strings.Join(stringsOf(r.ErrorCode, r.ResponseCode, r.AdviceCode), ", ")}, {"Decision", r.DecisionID}}
	case *data.CaseEvent:
		kind, says = "Case", titled(r.Kind.String())
	case *data.Subscription:
		kind, says = "Subscription", titled(r.Status.String())
		more = []fact{{"Cycle ends", orNothing(r.CycleEnd)}, {"Subscription", r.SubscriptionID}}
	case *data.Mandate:
		kind, says = "Mandate", titled(r.Status.String())
		more = []fact{{"Rail", railWords[r.Rail]}, {"Cap", amountOf(r.MaxAmount)}, {"Valid until", orNothing(r.ValidUntil)}, {"Mandate", r.MandateID}}
	case *data.Notice:
		kind, says = "Notice", titled(r.Kind.String())+": "+spoken(r.Status.String())
		more = []fact{{"Amount", amountOf(r.Amount)}, {"Debit at", orNothing(r.DebitAt)}}
	case *data.Poll:
		kind, says = "Status check", titled(r.Status.String())
		more = []fact{{"Attempt", r.AttemptID}}
	case *data.Promise:
		kind, says = "Promise", titled(r.Status.String())+", for "+ist(r.PromisedFor)
	case *data.Outcome:
		kind, says = "Outcome", "Not recovered"
		if r.Recovered {
			says = "Recovered " + rupees(r.RecoveredPaise)
		}
		more = []fact{{"Cost", amountOf(r.CostPaise)}, {"Settled", ist(r.SettledAt) + " IST"}, {"Window", map[bool]string{true: "closed", false: "still open"}[r.WindowClosed]},
			{"Attempt", r.AttemptID}, {"Decision", r.DecisionID}}
	case *data.Downtime:
		kind, says = "Downtime", titled(r.Status.String())
		more = []fact{{"Rail", railWords[r.Rail]}, {"Bank", r.Bank}}
	default:
		kind = "Entry"
	}
	return kind, says, more
}

// stringsOf are the texts that are not empty.
func stringsOf(all ...string) (out []string) {
	for _, s := range all {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

// spoken is a word of the wire as one says it: "authorized late".
func spoken(s string) string { return strings.ReplaceAll(s, "_", " ") }

// titled is spoken with a capital letter.
func titled(s string) string {
	if s = spoken(s); s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
