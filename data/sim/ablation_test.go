package sim

import (
	"testing"

	"recoup/data"
)

// TestEveryMechanismActs switches each mechanism off and looks for what must
// change. The dice are keyed, so the same customers live through the same days:
// without a mechanism its reasons are gone, fewer charges fail, and more
// charges are needed for the same number of cases.
func TestEveryMechanismActs(t *testing.T) {
	const cases = 1500
	base, with := gather(t, config(cases), Uniform())
	names := map[Mechanism][]string{
		Funds:       {"insufficient_funds"},
		Mandates:    {"mandate_not_active", "mandate_expired"},
		Banks:       {"bank_not_available", "bank_technical_error"},
		Gateway:     {"gateway_technical_error"},
		Instruments: {"card_declined", "debit_instrument_blocked", "card_expired"},
		Limits:      {"transaction_limit_exceeded", "transaction_frequency_limit_exceeded"},
		Notices:     {"payment_cancelled", "customer_action_required"},
		Timeouts:    {"request_timed_out"},
		ReasonNoise: {"payment_failed"},
	}
	for _, m := range AllMechanisms() {
		c := config(cases)
		c.Without = m
		all, without := gather(t, c, Uniform())
		for _, name := range names[m] {
			if share(with.tally.Failed[data.MustReason(name)], cases) == 0 {
				t.Errorf("%s: the full world never says %s", m, name)
			}
			if n := without.tally.Failed[data.MustReason(name)]; n > 0 && m != Instruments {
				t.Errorf("without %s: still %d cases of %s", m, n, name)
			}
		}
		switch m {
		case Cures:
			if n := without.tally.Roads[byCure]; n != 0 || with.tally.Roads[byCure] < cases/50 {
				t.Errorf("cures: %d without them, %d with", n, with.tally.Roads[byCure])
			}
			if without.Recovery.All >= with.Recovery.All {
				t.Errorf("without cures %.4f are paid, with them %.4f", without.Recovery.All, with.Recovery.All)
			}
		case Lateness:
			if a, b := late(all), late(base); a > 0 || b == 0 {
				t.Errorf("lateness: %d attempts told an hour late without it, %d with", a, b)
			}
		case ReasonNoise: // changes words, not outcomes
			if without.Charges != with.Charges {
				t.Errorf("reason noise changes outcomes: %d charges without, %d with", without.Charges, with.Charges)
			}
		default:
			if without.FirstFailed >= with.FirstFailed*.995 {
				t.Errorf("without %s %.4f of the charges fail at first, with it %.4f", m, without.FirstFailed, with.FirstFailed)
			}
		}
	}
}

// late counts failed attempts that were told an hour after their answer, or later.
func late(b *Batch) (n int) {
	for _, a := range b.Attempts {
		if a.Status == data.Failed && a.KnownAt-a.OccurredAt >= data.Hour {
			n++
		}
	}
	return n
}
