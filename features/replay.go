package features

import (
	"context"

	"recoup/data"
)

// Replay folds the log up to as_of event by event and calls at after each
// failure that leaves a case owed: the moments to decide about. t is when the
// failure was known; the State is the replay's own and must be left as it is.
// progress may be nil.
func Replay(ctx context.Context, l *data.Log, asOf data.Cursor, progress func(done, total int64), at func(s *State, caseID string, t data.Micros) error) error {
	s, done, total := NewState(), int64(0), visibleRows(l, asOf)
	for run, err := range merged(sources(l, asOf)) {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		for i := range run {
			if c := s.fold(&run[i]); c != nil {
				if err := at(s, c.id, s.asOf.KnownAt); err != nil {
					return err
				}
			}
		}
		if done += int64(len(run)); progress != nil {
			progress(done, max(total, done))
		}
	}
	if progress != nil { // total was an upper bound: files end after as_of
		progress(done, done)
	}
	return nil
}
