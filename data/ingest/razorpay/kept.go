package razorpay

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"recoup/data"
)

// Kept is what stays of an event that the log has no table for: enough to find
// it again in the archive when a later version can use it, and nothing personal;
// so its body is not kept.
type Kept struct {
	EventID    string      `json:"event_id"` // of the provider, or the hash of the body
	Type       string      `json:"type"`
	Known      bool        `json:"known"`       // the type is one of the documentation
	ReceivedAt data.Micros `json:"received_us"` // known_at, µs since 1970
	SHA256     string      `json:"sha256"`      // of the body as it stands in the archive
	IDs        []string    `json:"ids"`         // of the payload's entities
}

// knownIDs are the entities of a payload that have slots of their own.
var knownIDs = []slot{payID, subID, invoiceID, tokenID, linkID, disputeID, refundID, downID}

// keep is the line of an event.
func (p *parser) keep(e *event, id string, body []byte, h handling) string {
	sum := sha256.Sum256(body)
	k := Kept{IDs: []string{}, Type: e.Type, Known: h == apart, ReceivedAt: e.KnownAt, SHA256: hex.EncodeToString(sum[:])}
	if k.EventID = id; !isEventID(id) {
		k.EventID = "sha256:" + hex.EncodeToString([]byte(e.Hash)) // it may be anything
	}
	for _, at := range knownIDs {
		if c := &p.cells[at]; c.kind == text && isAnyID(c.b) {
			k.IDs = append(k.IDs, string(c.b))
		}
	}
	for _, b := range p.ids {
		if isAnyID(b) {
			k.IDs = append(k.IDs, string(b))
		}
	}
	line, _ := json.Marshal(k) // texts and numbers always go
	return string(line)
}

// isEventID reports whether an event's id looks like the provider's, or a hash.
func isEventID(id string) bool {
	letters := 0
	for i := range len(id) {
		c := id[i]
		if (c|0x20)-'a' <= 25 {
			letters++
		} else if c-'0' > 9 && c != '_' && c != '-' {
			return false
		}
	}
	return letters > 0 && len(id) >= 8 && len(id) <= 64
}

// isAnyID reports whether a text is an id of an entity: a short prefix of small
// letters, an underscore, letters and digits.
func isAnyID(b []byte) bool {
	for i, c := range b {
		if c == '_' && i > 0 && i <= 16 {
			return isID(b, string(b[:i]))
		}
		if c-'a' > 25 {
			return false
		}
	}
	return false
}
