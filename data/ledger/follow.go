package ledger

import (
	"context"
	"fmt"
	"time"
)

// catchUpPause is between two tries to read what others wrote.
const catchUpPause = 50 * time.Millisecond

// Follow delivers every entry after seq in order, each once: those that are there
// before it returns, later ones before the Append that made them returns, and
// those of other processes on Sync. apply is never called at the same time as itself.
// A book has one follower.
func (b *Book) Follow(ctx context.Context, seq int64, apply func([]Entry)) error {
	b.following.Lock()
	defer b.following.Unlock()
	if b.apply != nil {
		return fmt.Errorf("ledger: the book of %s: has a follower", b.tenant)
	}
	b.apply, b.delivered = apply, seq
	if err := b.catchUp(ctx); err != nil {
		b.apply = nil
		return err
	}
	return nil
}

// Sync delivers what other processes appended before it was called. Of many who call
// it at once few ask the database.
func (b *Book) Sync(ctx context.Context) error {
	latest := b.syncs.Load()
	b.following.Lock()
	defer b.following.Unlock()
	if b.apply == nil || b.synced > latest { // one began since we came, and is done
		return nil
	}
	begun := b.syncs.Add(1)
	level, err := b.level(ctx)
	if err == nil && !level {
		err = b.catchUp(ctx)
	}
	if err != nil {
		return err
	}
	b.synced = begun
	return nil
}

// level says that the follower has what the database has. A file is asked for the one
// number, which costs less than looking for entries; of a server the way there is the
// cost, so it is asked for the entries at once.
func (b *Book) level(ctx context.Context) (bool, error) {
	if b.ledger.seq == nil {
		return false, nil
	}
	var seq int64
	if err := b.ledger.seq.QueryRowContext(ctx, b.id).Scan(&seq); err != nil {
		return false, unavailable("read", err)
	}
	return seq <= b.delivered, nil
}

// catchUp delivers what the database has and the follower has not.
func (b *Book) catchUp(ctx context.Context) error {
	for {
		page, err := b.page(ctx, b.delivered)
		if err != nil {
			return err
		}
		if len(page) > 0 {
			b.apply(page)
			b.delivered = page[len(page)-1].Seq
		}
		if len(page) < pageRows {
			return nil
		}
	}
}

// deliver gives the follower what was just committed, and before it what others
// wrote since.
func (b *Book) deliver(fresh []Entry) {
	if len(fresh) == 0 {
		return
	}
	b.following.Lock()
	defer b.following.Unlock()
	if b.apply == nil || b.delivered >= fresh[len(fresh)-1].Seq {
		return
	}
	if fresh[0].Seq == b.delivered+1 {
		b.apply(fresh)
		b.delivered = fresh[len(fresh)-1].Seq
		return
	}
	// Others wrote in between. What is durable is not answered before it is
	// delivered, so a database that is away is waited for.
	for b.catchUp(context.Background()) != nil {
		select {
		case <-b.ledger.stop:
			return
		case <-time.After(catchUpPause):
		}
	}
}
