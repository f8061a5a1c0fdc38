package data

import (
	"errors"
	"fmt"
)

// What an error means to whoever ran the job. The command line turns each into
// an exit code; everything else exits 1.
var (
	// ErrUsage: the request itself is wrong (exit 2).
	ErrUsage = errors.New("usage")
	// ErrLocked: another job works in the same directory (exit 3).
	ErrLocked = errors.New("locked")
	// ErrTooLittle: not enough mature data to do the job honestly (exit 4).
	ErrTooLittle = errors.New("too little mature data")
	// ErrUnsafe: a challenger failed a safety check (exit 5).
	ErrUnsafe = errors.New("failed a safety check")
	// ErrContract: data break their contract: wrong schema, hash, row count, zone, value (exit 6).
	ErrContract = errors.New("data contract broken")
)

// fault is an error that Is one of the sentinels above without repeating it in
// its text.
type fault struct {
	error
	kind error
}

func (f fault) Is(target error) bool { return target == f.kind }
func (f fault) Unwrap() error        { return f.error }

// Faultf makes an error of a kind, one of the sentinels of this package. The
// text follows the house form: "package: subject: cause".
func Faultf(kind error, format string, args ...any) error {
	return fault{fmt.Errorf(format, args...), kind}
}
