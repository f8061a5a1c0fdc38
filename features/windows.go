package features

import (
	"slices"
	"sync"

	"recoup/data"
)

// Windows is the batch form of the history columns: for every event, how many
// events of its own customer lie in each window that ends at it, and the sum of
// their amounts. It is exact, in integers: two pointers and a running sum.
//
// Events come in the order of the log. customers numbers their customers from
// 0, at is their Stamp and amounts their paise. Event j counts for event i when
// it is of the same customer, not after i in the log, and at[j] >= at[i] - span.
// Results come by customer, and within one in the order of the log: entry k of
// every column belongs to event order[k]. counts and sums are one column a
// span. A customer whose events do not come in the order of at (some were late)
// costs more, not other results. Two goroutines share the work.
func Windows(customers []uint32, at, amounts []int64, spans []data.Micros) (order []uint32, counts []([]int32), sums []([]int64)) {
	n := len(customers)
	if len(at) != n || len(amounts) != n {
		panic("features: windows: columns of unequal length")
	}
	for range spans {
		counts, sums = append(counts, make([]int32, n)), append(sums, make([]int64, n))
	}
	if n == 0 {
		return nil, counts, sums
	}
	starts, order, events := grouped(customers, at, amounts)
	inHalves(len(starts)-1, func(from, to int) {
		for c := from; c < to; c++ {
			first, last := starts[c], starts[c+1]
			for s, span := range spans {
				countWindow(events[first:last], int64(span), counts[s][first:last], sums[s][first:last])
			}
		}
	})
	return order, counts, sums
}

// inHalves runs work on both halves of 0..n at once.
func inHalves(n int, work func(from, to int)) {
	var half sync.WaitGroup
	half.Go(func() { work(0, n/2) })
	work(n/2, n)
	half.Wait()
}

type windowEvent struct{ at, amount int64 }

// grouped is a stable counting sort: the events of customer c lie at starts[c]
// to starts[c+1].
func grouped(customers []uint32, at, amounts []int64) (starts, order []uint32, events []windowEvent) {
	starts = make([]uint32, int(slices.Max(customers))+2)
	for _, c := range customers {
		starts[c+1]++
	}
	for c := 1; c < len(starts); c++ {
		starts[c] += starts[c-1]
	}
	next := slices.Clone(starts)
	order, events = make([]uint32, len(customers)), make([]windowEvent, len(customers))
	for i, c := range customers {
		k := next[c]
		next[c]++
		order[k], events[k] = uint32(i), windowEvent{at[i], amounts[i]}
	}
	return starts, order, events
}

// countWindow moves one pointer over a customer's events and keeps a running sum.
func countWindow(events []windowEvent, span int64, counts []int32, sums []int64) {
	first, sum := 0, int64(0)
	for i, e := range events {
		if i > 0 && e.at < events[i-1].at {
			plainWindow(events, span, counts, sums)
			return
		}
		sum += e.amount
		for ; events[first].at < e.at-span; first++ {
			sum -= events[first].amount
		}
		counts[i], sums[i] = int32(i+1-first), sum
	}
}

// plainWindow is the double loop, for a customer with late events.
func plainWindow(events []windowEvent, span int64, counts []int32, sums []int64) {
	for i, e := range events {
		counts[i], sums[i] = 0, 0
		for _, o := range events[:i+1] {
			if o.at >= e.at-span {
				counts[i]++
				sums[i] += o.amount
			}
		}
	}
}
