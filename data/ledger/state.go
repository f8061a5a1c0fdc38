package ledger

import "recoup/data"

// AttemptState is how far the ledger knows an attempt to be. It only moves
// forward, but that Unknown is left by a status poll alone.
type AttemptState uint8

// The states of an attempt, in their order.
const (
	Intended AttemptState = iota + 1 // a pending attempt was posted before the debit
	Unknown                          // nobody knows what came of it
	Failed
	Captured // late authorisation included
	Refunded
)

// Move is what an entry says of an attempt. A move that is not forward is
// recorded with its entry and moves nothing.
type Move struct {
	CaseID    string
	No        int32 // (case, no) belongs to one attempt_id: ErrConflict for another
	AttemptID string
	To        AttemptState
	ByPoll    bool
}

// Attempt is the state of one attempt.
type Attempt struct {
	AttemptID, CaseID string
	No                int32
	State             AttemptState
	Seq               int64 // of the entry that moved it there
	KnownAt           data.Micros
}
