package ledger

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
)

// span is a run of seqs, both ends included.
type span [2]int64

// spans are runs of seqs.
type spans []span

// add takes a seq after all that are there.
func (s *spans) add(seq int64) {
	if n := len(*s); n > 0 && (*s)[n-1][1] == seq-1 {
		(*s)[n-1][1] = seq
		return
	}
	*s = append(*s, span{seq, seq})
}

// join sorts the runs and joins those that meet.
func (s spans) join() spans {
	slices.SortFunc(s, func(a, b span) int { return cmp.Compare(a[0], b[0]) })
	var out spans
	for _, next := range s {
		if n := len(out); n > 0 && next[0] <= out[n-1][1]+1 {
			out[n-1][1] = max(out[n-1][1], next[1])
		} else {
			out = append(out, next)
		}
	}
	return out
}

// lacks is the first seq of other that is in none of the runs, which are joined;
// ok is false where there is none.
func (s spans) lacks(other spans) (seq int64, ok bool) {
	for _, o := range other {
		i, in := slices.BinarySearchFunc(s, o[0], func(a span, seq int64) int {
			switch {
			case a[1] < seq:
				return -1
			case a[0] > seq:
				return 1
			}
			return 0
		})
		if !in {
			return o[0], true
		}
		if s[i][1] < o[1] {
			return s[i][1] + 1, true
		}
	}
	return 0, false
}

// count is the number of seqs; the runs are joined.
func (s spans) count() (n int64) {
	for _, r := range s {
		n += r[1] - r[0] + 1
	}
	return n
}

// erasure is the body of an Erasure: which entries it blanked, and why; never whose they were.
type erasure struct {
	Erased spans  `json:"erased"`
	Why    string `json:"why,omitempty"`
	At     string `json:"at"` // RFC 3339, the clock of whoever did it
}

func readErasure(body []byte) (e erasure, err error) {
	if err := json.Unmarshal(body, &e); err != nil {
		return e, fmt.Errorf("its body is no erasure: %w", err)
	}
	return e, nil
}
