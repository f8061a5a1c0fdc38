package razorpay

import "recoup/data"

// Parsed is what one event says by itself. Its payment has the case that the
// event names, number 0 and no lateness: those depend on what came before.
type Parsed struct {
	Type       string
	Documented bool        // the type is known
	OccurredAt data.Micros // never after what it tells of
	Currency   string      // of its payment, "" where it has none
	Rows       Rows        // none where the log has no table for the type
}

// Parse reads the body of one delivery, as it was signed. eventID is the
// provider's, "" for the hash of the body; knownAt is when it was received, 0 for
// the event's own time; the key is that of Options. All faults of the body's
// contract are reported together, without anything personal.
func Parse(body []byte, eventID string, knownAt data.Micros, key []byte) (Parsed, []data.Fault, error) {
	who, err := newIdentity(key)
	if err != nil {
		return Parsed{}, nil, err
	}
	p := &parser{who: who}
	p.forget()
	if fault := p.event(body); fault != nil {
		return Parsed{}, []data.Fault{*fault}, nil
	}
	if knownAt != 0 && !isTime(knownAt) {
		return Parsed{}, nil, data.Faultf(data.ErrUsage, "razorpay: known at %d µs: expected a time from 2000 to 2099", knownAt)
	}
	e, faults := p.read(body, []byte(eventID), knownAt)
	if len(faults) > 0 {
		return Parsed{}, faults, nil
	}
	out := Parsed{Type: e.Type, Documented: handlingOf(e.Type) != unknown, OccurredAt: e.OccurredAt, Currency: e.Currency}
	e.rows(&out.Rows, place{verdict: e.alone()})
	return out, nil, nil
}

// alone is what is decided about an event that is the first of its payment.
func (e *event) alone() verdict {
	g := fact{seen: e.Seen, presented: e.PresentedAt, occurred: e.OccurredAt}
	f := facts{all: []fact{g}}
	f.attempt([]int32{0}, &knownAttempt{})
	return f.all[0].verdict
}
