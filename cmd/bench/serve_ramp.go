package main

import (
	"context"
	"fmt"
	"time"
)

// ramping is a load at rising rates.
type ramping struct {
	who, url string
	bodies   [][]byte
	once     bool // each body is sent at most once: it ends where they do
}

// ramped is what a ramp came to.
type ramped struct {
	asked  int           // requests in all
	knee   float64       // requests a second
	median time.Duration // at the first rate
	steps  []*sample     // of each rate, the last of which may be past the knee
}

// ramp raises the rate until the knee and prints a line a rate. A rate that was not
// kept is tried once more: others may have had the machine.
func ramp(ctx context.Context, p ramping) (r ramped, err error) {
	fmt.Printf("  %s\n", p.who)
	client := newClient()
	defer client.CloseIdleConnections()
	rate, why, again := serveFirst, "the last rate answered at 95 % or better with p99 of 50 ms or less", false
	for step := range serveMost + 1 { // the first warms connections, caches and heap; not shown
		d := serveStep
		if p.once && float64(len(p.bodies)) < 1.1*rate*d.Seconds()+50 {
			why = "the highest rate that there were cases for"
			break
		}
		s, err := load(ctx, client, p.url, p.bodies, rate, d)
		if err != nil {
			return r, err
		}
		if p.once {
			p.bodies = p.bodies[len(s.latencies):]
		}
		if r.asked += len(s.latencies); step == 0 {
			continue
		}
		if step == 1 {
			r.median = s.quantile(.5)
		}
		r.steps = append(r.steps, s)
		fmt.Printf("    %6.0f/s offered  %6.0f/s answered   p50 %8s   p99 %8s   p99.9 %8s   %d failed\n",
			s.offered, s.achieved, round(s.quantile(.5)), round(s.quantile(.99)), round(s.quantile(.999)), s.failed)
		if s.kept() {
			r.knee, rate, again = s.offered, rate*serveGrow, false
			continue
		}
		if again {
			break
		}
		again = true
	}
	fmt.Printf("    knee: %.0f/s, %s; client and server share the machine\n", r.knee, why)
	return r, nil
}

// kept says whether the rate was answered.
func (s *sample) kept() bool {
	return s.quantile(.99) <= 50*time.Millisecond && s.achieved >= .95*s.offered && s.failed == 0
}

func round(d time.Duration) time.Duration {
	if d < 10*time.Millisecond {
		return d.Round(10 * time.Microsecond)
	}
	return d.Round(100 * time.Microsecond)
}
