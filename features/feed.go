package features

import (
	"context"
	"sync/atomic"

	"recoup/data"
)

// stretch is the unit of work: how much of the log every shard replays at once.
const stretch = 4096

// piece is a stretch of the log on its way to every shard. The last to be done
// with it gives it back.
type piece struct {
	events []event
	users  atomic.Int32
	free   chan *piece
}

func (p *piece) done() {
	if p.users.Add(-1) == 0 {
		select {
		case p.free <- p:
		default:
		}
	}
}

// feeder copies the merged log into pieces and hands each to every shard.
type feeder struct {
	in     []chan *piece
	free   chan *piece
	filled *piece
	events int64
}

func (f *feeder) send(ctx context.Context) error {
	p := f.filled
	f.events += int64(len(p.events))
	p.users.Store(int32(len(f.in)))
	for _, c := range f.in {
		select {
		case c <- p:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	f.filled = f.empty()
	return nil
}

func (f *feeder) empty() *piece {
	select {
	case p := <-f.free:
		p.events = p.events[:0]
		return p
	default:
		return &piece{events: make([]event, 0, stretch), free: f.free}
	}
}

// feed reads the log up to as_of for all shards and counts its events.
func feed(ctx context.Context, l *data.Log, o BuildOptions, in []chan *piece) (int64, error) {
	total := visibleRows(l, o.AsOf)
	f := &feeder{in: in, free: make(chan *piece, 8)}
	f.filled = f.empty()
	for run, err := range merged(sources(l, o.AsOf)) {
		if err != nil {
			return f.events, err
		}
		for len(run) > 0 {
			n := min(len(run), stretch-len(f.filled.events))
			f.filled.events = append(f.filled.events, run[:n]...)
			run = run[n:]
			if len(f.filled.events) < stretch {
				continue
			}
			if err := f.send(ctx); err != nil {
				return f.events, err
			}
			if o.Progress != nil {
				o.Progress(f.events, max(total, f.events))
			}
		}
	}
	if len(f.filled.events) > 0 {
		if err := f.send(ctx); err != nil {
			return f.events, err
		}
	}
	if o.Progress != nil {
		o.Progress(f.events, f.events)
	}
	return f.events, nil
}

// visibleRows counts the rows of the files that begin at or before as_of, of
// the tables a State reads: an upper bound.
func visibleRows(l *data.Log, asOf data.Cursor) (n int64) {
	for _, f := range l.Manifest().Files {
		if asOf.Sees(f.Min) && f.Table != "decisions" && f.Table != "outcomes" {
			n += f.Rows
		}
	}
	return n
}
