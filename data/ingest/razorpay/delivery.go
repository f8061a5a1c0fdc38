package razorpay

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"recoup/data"
)

var (
	eventIDNode    = leaf("event_id", lineEventID)
	receivedAtNode = leaf("received_at", lineReceivedAt)
)

// delivery reads a line of an archive. The event's values are then in the cells;
// body is the event as it was signed, or as near to it as the line shows.
func (s *scanner) delivery(line []byte) (body []byte, fault *data.Fault) {
	s.scratch = s.scratch[:0]
	s.forget()
	s.start(line)
	if !utf8.Valid(line) {
		return nil, broken("not UTF-8")
	}
	if s.blanks(); s.i == len(line) || line[s.i] != '{' {
		return nil, broken("neither a delivery nor an event: an object is expected")
	}
	s.i++
	from, textual := s.i-1, false
	for more := true; more; {
		key, twin, fault := s.key(0)
		if fault != nil {
			return nil, fault
		}
		if twin >= 0 {
			return nil, s.twice()
		}
		s.keys = append(s.keys, keySeen{name: key})
		switch {
		case string(key) == "event_id":
			fault = s.member(eventIDNode, 1)
		case string(key) == "received_at":
			fault = s.member(receivedAtNode, 1)
		case string(key) == "body":
			if s.cells[payload].kind != absent {
				return nil, errTwoEvents()
			}
			body, textual, fault = s.body()
		case body == nil:
			fault = s.member(eventTree.child(key), 1)
		case string(key) == "payload":
			return nil, errTwoEvents()
		default: // of the archive's own
			fault = s.value(nil, 2)
		}
		if fault != nil {
			return nil, fault
		}
		if more, fault = s.next('}'); fault != nil {
			return nil, fault
		}
	}
	if body == nil { // the line is the event itself
		body = line[from:s.i]
	}
	if fault := s.end(); fault != nil || !textual {
		return body, fault
	}
	return body, s.event(body)
}

func errTwoEvents() *data.Fault {
	return broken("a payload and a body in one line: which is the event?")
}

// body reads the value of the key body: an event, or its text to be read later.
func (s *scanner) body() (b []byte, textual bool, fault *data.Fault) {
	id, at := s.cells[lineEventID], s.cells[lineReceivedAt]
	s.forget() // the archive's own keys of an event's names
	s.cells[lineEventID], s.cells[lineReceivedAt] = id, at
	if s.i < len(s.b) && s.b[s.i] == '"' {
		b, fault = s.text(true)
		return b, true, fault
	}
	start := s.i
	if start == len(s.b) || s.b[start] != '{' {
		return nil, false, &data.Fault{Path: "body", Message: "expected the event, as an object or as a text of JSON"}
	}
	fault = s.value(eventTree, 2)
	return s.b[start:s.i], false, fault
}

// event reads a whole text as one event.
func (s *scanner) event(b []byte) *data.Fault {
	s.start(b)
	if !utf8.Valid(b) {
		return broken("not UTF-8")
	}
	if s.blanks(); s.i == len(b) || b[s.i] != '{' {
		return broken("not an event: an object is expected")
	}
	if fault := s.value(eventTree, 1); fault != nil {
		return fault
	}
	return s.end()
}

// receivedAt is when the delivery came in; 0 = the line does not say.
func (s *scanner) receivedAt() (data.Micros, *data.Fault) {
	c := &s.cells[lineReceivedAt]
	at, ok := data.Micros(0), false
	switch c.kind {
	case absent, null:
		return 0, nil
	case number:
		at, ok = secondsOf(string(c.b))
	case text:
		t, err := time.Parse(time.RFC3339Nano, string(c.b))
		at, ok = data.MicrosOf(t), err == nil
	}
	if !ok || !isTime(at) {
		return 0, &data.Fault{Path: "received_at",
			Message: "expected RFC 3339 with an offset, or seconds since 1970, from 2000 to 2099"}
	}
	return at, nil
}

// Times outside these years are taken for a wrong unit, as by the log.
const (
	firstTime = 946_684_800 * data.Second
	lastTime  = 4_102_444_800 * data.Second
)

func isTime(at data.Micros) bool { return at >= firstTime && at < lastTime }

// secondsOf reads seconds, which may have a fraction of up to 6 digits.
func secondsOf(s string) (data.Micros, bool) {
	whole, fraction, _ := strings.Cut(s, ".")
	if len(whole) > 12 || len(fraction) > 6 {
		return 0, false
	}
	seconds, err := strconv.ParseUint(whole, 10, 64)
	if err != nil {
		return 0, false
	}
	micros := uint64(0)
	if fraction != "" {
		if micros, err = strconv.ParseUint(fraction+"000000"[len(fraction):], 10, 64); err != nil {
			return 0, false
		}
	}
	return data.Micros(seconds)*data.Second + data.Micros(micros), true
}
