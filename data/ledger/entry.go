package ledger

import "recoup/data"

// Kind says what an entry is.
type Kind uint8

// The kinds of entry.
const (
	Event      Kind = iota + 1 // a row of one of the log's tables but decisions and outcomes
	Webhook                    // a body came: its id, type and hash, never the body
	Decision                   // a row of decisions, and the evidence for it
	Outcome                    // a row of outcomes; a correction is a further one
	Answer                     // a decision made from a request's own events: recorded, not exported
	Result                     // what a person did about an escalation
	Erasure                    // a customer's bodies were blanked
	Checkpoint                 // a signed note on the entries before it
	KeyChange                  // from here on another secret hashes the chain
)

// Entry is one entry of a Book.
type Entry struct {
	Seq                int64
	KnownAt            data.Micros
	Kind               Kind
	Key                string // unique in its kind
	CaseID, CustomerID string // "" = of none, or erased
	Body               []byte // canonical JSON; nil = erased
}

// Draft is an entry to be.
type Draft struct {
	Kind               Kind
	Key                string      // unique in its kind: event_id, decision_id, ... The same key with the same body is a duplicate, with another a conflict
	CaseID, CustomerID string      // what the trail and an erasure find it by
	KnownAt            data.Micros // 0 = the clock; else not before (a replay's clock)
	Body               []byte
	Claims             []Claim
	Move               *Move // of an attempt; nil = none
}

// Claim is a name that one entry of the book can have, in the database's keeping.
type Claim struct {
	Name string
	// Same says that an entry whose name is taken is a repetition, to be passed over
	// as a duplicate; else it is a conflict. One whose Move is of another attempt than
	// its id or its number says is a conflict all the same.
	Same bool
	// Alike says what forbids to pass a repetition over, given the body of the entry that
	// has the name: then it is a conflict. nil = nothing does. It is quick and without I/O,
	// and is not asked about an erased entry.
	Alike func(body []byte) error
}

// Receipt says where a draft went.
type Receipt struct {
	Seq       int64 // of the entry; of the first one for a duplicate
	KnownAt   data.Micros
	Duplicate bool
}

// Once makes a job happen once: a second job with its key gets the first one's
// answer, or ErrReused where its fingerprint is another.
type Once struct {
	Key         string
	Fingerprint [32]byte
	// Answer is called before the commit, perhaps more than once, of which the last counts. It is quick and without I/O.
	Answer func([]Receipt) (status int, body []byte)
}

// Job is what one request appends: all of it or nothing.
type Job struct {
	Drafts []Draft
	Once   *Once // nil = no key
}

// Done is what became of a job.
type Done struct {
	Receipts []Receipt // one a draft; nil when replayed
	Replayed bool      // the answer of an earlier job with the same key
	Status   int       // of Once's answer
	Body     []byte
}
