package razorpay

import (
	"crypto/sha256"
	"encoding/hex"
	"hash/crc32"
	"strconv"

	"recoup/data"
)

// parser reads lines; it belongs to one goroutine.
type parser struct {
	scanner
	who *identity
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// line reads a line of an archive. The faults are good until the next call.
func (p *parser) line(line []byte) (event, []data.Fault) {
	body, fault := p.delivery(line)
	if fault != nil {
		return event{}, []data.Fault{*fault}
	}
	known, fault := p.receivedAt()
	if fault != nil {
		return event{}, []data.Fault{*fault}
	}
	id := &p.cells[lineEventID]
	if id.kind > text || id.kind == text && (len(id.b) == 0 || len(id.b) > 256) {
		return event{}, []data.Fault{{Path: "event_id", Message: "expected a text of 1 to 256 bytes"}}
	}
	return p.read(body, id.b, known)
}

// read looks at the event in the cells. An empty id stands for the hash of the
// body, known 0 for the event's own time.
func (p *parser) read(body, id []byte, known data.Micros) (event, []data.Fault) {
	f := &fields{s: &p.scanner}
	e := event{Body: crc32.Checksum(body, castagnoli)}
	if len(id) == 0 {
		sum := sha256.Sum256(body)
		id = []byte(hex.EncodeToString(sum[:]))
	}
	e.Hash = hashOf(id)
	e.Type = f.eventType()
	if e.Type == "" {
		return event{}, f.faults
	}
	f.times(&e, known)
	e.Merchant = f.id(eventAccount, "acc")
	h := handlingOf(e.Type)
	switch {
	case len(f.faults) > 0:
	case h <= apart:
		e.Kept = p.keep(&e, string(id), body, h)
	case !f.is(payload):
		f.fault(payload, "", "missing")
	default:
		f.handle(&e, h, p.who)
	}
	if len(f.faults) > 0 {
		return event{}, f.faults
	}
	return e, nil
}

// eventType reads the type; "" after a fault.
func (f *fields) eventType() string {
	if !f.need(eventType) {
		return ""
	}
	b := f.bytes(eventType)
	if len(b) > 80 || len(b) == 0 {
		f.fault(eventType, "", "expected a type of 1 to 80 bytes, such as payment.failed")
		return ""
	}
	for _, c := range b {
		if c-'a' > 25 && c != '_' && c != '.' { // a digit could be a person's
			f.fault(eventType, "", "expected a type of small letters, dots and underscores, such as payment.failed")
			return ""
		}
	}
	if w := f.bytes(eventEntity); w != nil && string(w) != "event" {
		f.fault(eventEntity, "", "expected event")
		return ""
	}
	return string(b)
}

// times says when it happened and when it was known.
func (f *fields) times(e *event, known data.Micros) {
	e.OccurredAt, e.KnownAt = f.time(eventCreatedAt), known
	if e.OccurredAt == 0 {
		e.OccurredAt = f.time(payloadCreatedAt)
	}
	switch {
	case len(f.faults) > 0:
	case e.OccurredAt == 0 && known == 0:
		f.fault(eventCreatedAt, "", "missing, and the line has no received_at: nobody knows when this happened")
	case e.OccurredAt == 0:
		e.OccurredAt, e.Undated = known, true
	case known == 0:
		e.KnownAt, e.Assumed = e.OccurredAt, true
	}
}

// happenedBy moves an event that claims to be older than what it tells of: some
// types put the creation of another thing there.
func (e *event) happenedBy(at data.Micros) {
	e.OccurredAt = max(e.OccurredAt, at)
	if e.Assumed {
		e.KnownAt = max(e.KnownAt, at)
	}
}

// handle reads the entities that a type is about.
func (f *fields) handle(e *event, h handling, who *identity) {
	switch h {
	case paymentFailed:
		f.payment(e, seenFailed, who)
	case paymentAuthorized:
		f.payment(e, seenPending, who)
	case paymentCaptured:
		f.payment(e, seenCaptured, who)
	case linkPaid:
		f.link(e, who)
	case refunded:
		f.payment(e, seenRefunded, who)
	case disputed:
		f.dispute(e)
	case subscription:
		f.subscription(e, who)
	case mandateActive, mandatePaused, mandateRevoked, mandateExpired, mandateUpdated:
		f.token(e, h, who)
	case notification:
		f.notification(e)
	case downtime:
		f.downtime(e)
	}
}

func cycleCase(subscription string, start data.Micros) string {
	return subscription + "@" + strconv.FormatInt(int64(start/data.Second), 10)
}
