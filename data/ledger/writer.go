package ledger

// Bounds of what one commit takes.
const (
	groupJobs  = 256
	groupBytes = 16 << 20
)

// writer is the one goroutine that appends: it takes all the work there is and
// commits it at once, so that the disk syncs once for all who wait.
func (l *Ledger) writer() {
	defer close(l.written)
	g := &group{ledger: l, hash: newHasher(l.config.Secret)}
	for w := range l.queue {
		g.jobs = append(g.jobs[:0], w)
		size := w.size()
	more:
		for len(g.jobs) < groupJobs && size < groupBytes {
			select {
			case w, ok := <-l.queue:
				if !ok {
					break more
				}
				size += w.size()
				g.jobs = append(g.jobs, w)
			default:
				break more
			}
		}
		g.write()
	}
}

func (w *work) size() (n int) {
	for i := range w.job.Drafts {
		n += len(w.job.Drafts[i].Body)
	}
	return n
}
