package ledger

import "fmt"

// Break is the first place where a chain is not what was written. It Is ErrBroken.
type Break struct {
	Seq  int64 // of the entry, which may be one that is missing; 0 = no one entry
	Kind Kind  // 0 = the entry is missing
	Key  string
	What string // e.g. its body is not what was written
}

func (b *Break) Error() string {
	switch {
	case b.Seq == 0:
		return b.What
	case b.Kind.String() == "":
		return fmt.Sprintf("entry %d: %s", b.Seq, b.What)
	}
	return fmt.Sprintf("entry %d (%s %s): %s", b.Seq, b.Kind, b.Key, b.What)
}

// Is makes it an ErrBroken.
func (b *Break) Is(target error) bool { return target == ErrBroken }

func brokenAt(seq int64, format string, args ...any) error {
	return &Break{Seq: seq, What: fmt.Sprintf(format, args...)}
}

func (l *link) broken(format string, args ...any) error {
	return &Break{l.Seq, l.Kind, l.Key, fmt.Sprintf(format, args...)}
}
