package features

import (
	"slices"

	"recoup/data"
)

// Windows is the batch form of the history columns: for every event, how many
// events of its own customer lie in each window that ends at it, and the sum of
// their amounts. It is exact, in integers: two pointers and a running sum.
//
// Events come in the order of the log. customers numbers their customers from
// 0, at is their Stamp and amounts their paise. Event j counts for event i when
// it is of the same customer, not after i in the log, and at[j] >= at[i] - span.
// counts and sums are one slice a span, one entry an event. A customer whose
// events do not come in the order of at (some were late) costs more, not other
// results.
func Windows(customers []uint32, at, amounts []int64, spans []data.Micros) (counts []([]int32), sums []([]int64)) {
	n := len(customers)
	if len(at) != n || len(amounts) != n {
		panic("features: windows: columns of unequal length")
	}
	for range spans {
		counts, sums = append(counts, make([]int32, n)), append(sums, make([]int64, n))
	}
	w := &windowed{at: make([]int64, 0, 64), sum: make([]int64, 0, 64), counts: counts, sums: sums, spans: spans}
	order, starts := grouped(customers)
	for g := 0; g+1 < len(starts); g++ {
		w.customer(order[starts[g]:starts[g+1]], at, amounts)
	}
	return counts, sums
}

// grouped sorts event numbers by customer, keeping their order: a counting sort.
func grouped(customers []uint32) (order []uint32, starts []int) {
	if len(customers) == 0 {
		return nil, nil
	}
	starts = make([]int, int(slices.Max(customers))+2)
	for _, c := range customers {
		starts[c+1]++
	}
	for c := 1; c < len(starts); c++ {
		starts[c] += starts[c-1]
	}
	order = make([]uint32, len(customers))
	next := slices.Clone(starts)
	for i, c := range customers {
		order[next[c]] = uint32(i)
		next[c]++
	}
	return order, starts
}

// windowed works on one customer after the other; at and sum hold one's events.
type windowed struct {
	at, sum []int64 // times, and running sums of the amounts before each
	counts  [][]int32
	sums    [][]int64
	spans   []data.Micros
}

func (w *windowed) customer(events []uint32, at, amounts []int64) {
	w.at, w.sum = w.at[:0], append(w.sum[:0], 0)
	sorted := true
	for k, e := range events {
		sorted = sorted && (k == 0 || at[e] >= w.at[k-1])
		w.at, w.sum = append(w.at, at[e]), append(w.sum, w.sum[k]+amounts[e])
	}
	for s, span := range w.spans {
		if !sorted {
			late(events, at, amounts, int64(span), w.counts[s], w.sums[s])
			continue
		}
		counts, sums, first := w.counts[s], w.sums[s], 0
		for k, e := range events {
			edge := w.at[k] - int64(span)
			for w.at[first] < edge {
				first++
			}
			counts[e], sums[e] = int32(k+1-first), w.sum[k+1]-w.sum[first]
		}
	}
}

// late is the plain loop for a customer with late events.
func late(events []uint32, at, amounts []int64, span int64, counts []int32, sums []int64) {
	for k, e := range events {
		for _, o := range events[:k+1] {
			if at[o] >= at[e]-span {
				counts[e]++
				sums[e] += amounts[o]
			}
		}
	}
}
