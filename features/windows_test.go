package features

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"recoup/data"
	"recoup/features/key"
)

var windowSpans = []data.Micros{6 * data.Hour, data.Day, 7 * data.Day, 30 * data.Day}

// Windows equals the plain double loop, late events and ties included.
func TestWindowsEqualPlainLoop(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 60).Draw(t, "n")
		customers, at, amounts := make([]uint32, n), make([]int64, n), make([]int64, n)
		clock := int64(epoch)
		for i := range n {
			clock += rapid.SampledFrom([]int64{0, 1, int64(data.Hour), int64(6 * data.Hour), int64(data.Day), int64(7*data.Day) + 1, int64(30 * data.Day)}).Draw(t, "step")
			customers[i] = rapid.Uint32Range(0, 3).Draw(t, "customer")
			at[i] = clock - rapid.SampledFrom([]int64{0, 0, 0, int64(data.Day)}).Draw(t, "late")
			amounts[i] = rapid.Int64Range(-500, 500).Draw(t, "amount")
		}
		order, counts, sums := Windows(customers, at, amounts, windowSpans)
		for s, span := range windowSpans {
			for k, i := range order {
				var count int32
				var sum int64
				for j := range i + 1 {
					if customers[j] == customers[i] && at[j] >= at[i]-int64(span) {
						count++
						sum += amounts[j]
					}
				}
				if counts[s][k] != count || sums[s][k] != sum {
					t.Fatalf("event %d, span %d: %d, %d, expected %d, %d", i, span, counts[s][k], sums[s][k], count, sum)
				}
			}
		}
	})
}

// The State's own windows are Windows: captures of a customer, asked at each.
func TestWindowsEqualState(t *testing.T) {
	g := rand.New(rand.NewPCG(3, 4))
	var customers []uint32
	var at, amounts []int64
	s := NewState()
	var tallies []tally
	clock := epoch
	for i := range 40 {
		clock += data.Micros(g.IntN(int(9 * data.Day)))
		a := attempt("c", 0, clock, data.Captured)
		a.Seq, a.CaseID, a.Amount = int64(i+1), string(rune('a'+i)), data.Paise(100+g.IntN(900))
		must(t, Fold(s, &a))
		customers, at, amounts = append(customers, 0), append(at, int64(clock)), append(amounts, int64(a.Amount))
		tallies = append(tallies, tallyOf(since(s.customers.of(key.Of("who")).ring, clock-30*data.Day)))
	}
	_, counts, sums := Windows(customers, at, amounts, []data.Micros{30 * data.Day}) // one customer: the order is the log's
	for i, w := range tallies {
		if w.paid != counts[0][i] || int64(w.paise) != sums[0][i] {
			t.Errorf("event %d: the State says %d, %d, Windows %d, %d", i, w.paid, w.paise, counts[0][i], sums[0][i])
		}
	}
}

func BenchmarkWindows(b *testing.B) {
	const n, payers = 1 << 20, 100_000
	g := rand.New(rand.NewPCG(1, 1))
	customers, at, amounts := make([]uint32, n), make([]int64, n), make([]int64, n)
	for i := range n {
		customers[i], at[i], amounts[i] = g.Uint32N(payers), int64(epoch)+int64(i)*30_000_000, g.Int64N(1e6)
	}
	for b.Loop() {
		Windows(customers, at, amounts, windowSpans)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/event")
}
