package features

import (
	"recoup/data"
)

// past is one outcome in a customer's history, 24 bytes: what happened, when,
// to which case, for how much.
type past struct {
	at     data.Micros // Stamp of the row
	caseLo uint64      // the case, by half of its key
	packed uint64      // amount << 26 | day of the month, rail, cause, class, attempt number, initiator, status
}

const (
	ringSize = 64 // outcomes kept of a customer
	ringStep = 8
)

// pastOf packs an outcome; amounts over 2.7 x 10^9 rupees saturate.
func pastOf(at data.Micros, caseLo uint64, amount data.Paise, e outcomeWords) past {
	const maxAmount = 1<<38 - 1
	a := uint64(min(max(amount, 0), maxAmount))
	return past{at, caseLo, a<<26 | uint64(civilOf(at.ISTDay()).day)<<21 | uint64(e.rail&7)<<18 | uint64(e.cause&7)<<14 | uint64(e.class&15)<<10 |
		uint64(min(e.no, 15))<<6 | uint64(e.initiator&3)<<4 | uint64(e.status&7)}
}

// outcomeWords are the words of a past outcome.
type outcomeWords struct {
	status    data.AttemptStatus
	initiator data.Initiator
	no        int32
	class     data.Class
	cause     data.FailureClass
	rail      data.Rail
}

func (p *past) status() data.AttemptStatus { return data.AttemptStatus(p.packed & 7) }
func (p *past) no() int                    { return int(p.packed >> 6 & 15) }
func (p *past) rail() data.Rail            { return data.Rail(p.packed >> 18 & 7) }
func (p *past) cause() data.FailureClass   { return data.FailureClass(p.packed >> 14 & 7) }
func (p *past) amount() data.Paise         { return data.Paise(p.packed >> 26) }
func (p *past) day() int8                  { return int8(p.packed >> 21 & 31) } // of the month, IST
func (p *past) paid() bool                 { return p.status().Paid() }
func (p *past) failed() bool               { return p.status() == data.Failed }
func (p *past) failedFunds() bool          { return p.failed() && p.cause() == data.CauseInsufficientFunds }

// insert puts an outcome in its place by time; equal times stay in cursor
// order. A full ring forgets its oldest.
func insert(ring []past, p past) []past {
	if len(ring) == ringSize {
		if p.at < ring[0].at {
			return ring
		}
		copy(ring, ring[1:])
		ring = ring[:ringSize-1]
	}
	i := len(ring)
	for i > 0 && ring[i-1].at > p.at {
		i--
	}
	if len(ring) == cap(ring) { // by steps: a million half-empty rings are the memory of a job
		ring = append(make([]past, 0, len(ring)+ringStep), ring...)
	}
	ring = ring[:len(ring)+1]
	copy(ring[i+1:], ring[i:])
	ring[i] = p
	return ring
}

// since is the part of the ring with time >= edge.
func since(ring []past, edge data.Micros) []past {
	i := len(ring)
	for i > 0 && ring[i-1].at >= edge {
		i--
	}
	return ring[i:]
}
