package ledger

import (
	"context"
	"database/sql"
	"sync/atomic"
)

// SQLite's write-ahead log is copied into the database beside the writer, some MB at a
// time, so that nobody who waits for a commit waits for that too. The log starts again
// at its beginning only when all of it is copied, which the writer never lets
// happen under load; so from a size on it copies the last of it itself.
const (
	walWake   = 4 << 20 // bytes written, more or less, between two copies
	walEntry  = 8 << 10 // bytes that an entry writes beside its body
	walFinish = 8 << 10 // frames (of 4 kB) from which on the log is to start again
)

// wal copies the log of a SQLite ledger.
type wal struct {
	db     *sql.DB
	wake   chan struct{}
	ended  chan struct{}
	finish atomic.Bool // the writer is to copy the rest
	since  int         // bytes since the last wake; the writer's

	wakeAt, finishAt int // walWake and walFinish, but in tests
}

func startWAL(db *sql.DB) *wal {
	w := &wal{db: db, wake: make(chan struct{}, 1), ended: make(chan struct{}), wakeAt: walWake, finishAt: walFinish}
	go w.run()
	return w
}

func (w *wal) run() {
	defer close(w.ended)
	for range w.wake {
		log, copied := w.copy(w.db)
		at := int64(w.finishAt)
		if log > at && log-copied <= at/8 || log > 4*at { // soon done, or too long
			w.finish.Store(true)
		}
	}
}

// copy copies what can be without anybody waiting. What fails is tried again with the
// next: nothing is lost meanwhile, the log has it.
func (w *wal) copy(db *sql.DB) (log, copied int64) {
	var busy int64
	if err := db.QueryRowContext(context.Background(), `PRAGMA wal_checkpoint(PASSIVE)`).Scan(&busy, &log, &copied); err != nil {
		return 0, 0
	}
	return log, copied
}

// wrote is told by the writer, between two transactions of its connection.
func (w *wal) wrote(entries, bytes int, writer *sql.DB) {
	if w.finish.Swap(false) {
		w.copy(writer)
	}
	if w.since += bytes + entries*walEntry; w.since < w.wakeAt {
		return
	}
	select {
	case w.wake <- struct{}{}:
		w.since = 0
	default: // still at the last one
	}
}

func (w *wal) close() error {
	close(w.wake)
	<-w.ended
	return w.db.Close()
}
