package sim

import (
	"context"
	"runtime"
	"sync"
)

// block is how many customers a worker lives at a time. It has no influence on
// the rows.
const block = 64

// Run makes the world and hands its rows, block by block and in the order of
// customers, to emit, which is called from one goroutine. The first batch holds
// the downtimes. The rows are the same for any number of workers. Run stops at
// the first error of emit, at the end of ctx, or when the world has its cases.
func Run(ctx context.Context, c Config, b Behaviour, emit func(*Batch) error) (Summary, error) {
	if err := c.Validate(); err != nil {
		return Summary{}, err
	}
	w := newWorld(c)
	sum := newSummary(c, b, w)
	head := &Batch{}
	for _, bank := range w.banks {
		head.Downtimes = append(head.Downtimes, w.downtimes[bank.code]...)
	}
	if err := emit(head); err != nil {
		return Summary{}, err
	}
	sum.fold(head)

	ctx, stop := context.WithCancel(ctx)
	workers := c.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	// Slots in flight, in order: whoever makes block n fills the n-th channel.
	slots := make(chan chan *Batch, 2*workers)
	jobs := make(chan job)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for j := range jobs {
				j.out <- w.lives(j.first, &b, c.Cases)
			}
		})
	}
	group.Go(func() {
		defer close(slots)
		defer close(jobs)
		for n := uint64(0); ; n += block {
			out := make(chan *Batch, 1)
			select {
			case slots <- out:
			case <-ctx.Done():
				return
			}
			select {
			case jobs <- job{n, out}:
			case <-ctx.Done():
				return
			}
		}
	})
	err := sum.collect(ctx, w, &b, c.Cases, slots, c.Progress, emit)
	stop()
	group.Wait()
	sum.finish()
	return *sum, err
}

type job struct {
	first uint64
	out   chan *Batch
}

// lives runs a block of customers, each for at most limit cases.
func (w *world) lives(first uint64, b *Behaviour, limit int) *Batch {
	out := &Batch{first: first}
	for n := first; n < first+block; n++ {
		w.live(out, w.newCustomer(n), b, limit, nil)
	}
	return out
}

// collect takes batches in order until the world has its cases; the block that
// would have too many is lived again, customer by customer, up to the last case.
func (s *Summary) collect(ctx context.Context, w *world, b *Behaviour, cases int, slots <-chan chan *Batch,
	progress func(done, total int64), emit func(*Batch) error) error {
	left := cases
	take := func(batch *Batch) error {
		if batch.err != nil {
			return batch.err
		}
		left -= batch.Tally.Cases()
		s.fold(batch)
		if progress != nil {
			progress(int64(cases-left), int64(cases))
		}
		return emit(batch)
	}
	for out := range slots {
		var batch *Batch
		select {
		case batch = <-out:
		case <-ctx.Done():
			return ctx.Err()
		}
		if batch.Tally.Cases() <= left {
			if err := take(batch); err != nil {
				return err
			}
		} else {
			last := &Batch{first: batch.first}
			for n := batch.first; last.Tally.Cases() < left; n++ {
				w.live(last, w.newCustomer(n), b, left-last.Tally.Cases(), nil)
			}
			if err := take(last); err != nil {
				return err
			}
		}
		if left == 0 {
			return nil
		}
	}
	return ctx.Err()
}
