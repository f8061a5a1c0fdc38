package ledger

import (
	"context"
	"io"
	"strings"
	"unicode/utf8"

	"recoup/data"
)

// Limits of a draft. They keep one request from failing the commit that it shares.
const (
	maxText = 1 << 10
	maxBody = 64 << 20
)

var errClosed = data.Faultf(ErrUnavailable, "ledger: append: it is closed, or open for reading only")

// work is a job on its way: what can be computed without the chain's last hash is.
type work struct {
	ctx    context.Context
	book   *Book
	job    Job
	sealed []seal // one a draft

	done  Done
	err   error
	ready chan struct{} // closed when done and err are set
}

// seal is a draft's salt and digest.
type seal struct {
	salt   [saltSize]byte
	digest [32]byte
}

func (b *Book) work(ctx context.Context, j Job) (*work, error) {
	if b.ledger.config.ReadOnly {
		return nil, errClosed
	}
	w := &work{ctx: ctx, book: b, job: j, sealed: make([]seal, len(j.Drafts)), ready: make(chan struct{})}
	for i := range j.Drafts {
		if err := j.Drafts[i].check(); err != nil {
			return nil, err
		}
	}
	if j.Once != nil {
		if err := checkText("idempotency key", j.Once.Key); err != nil {
			return nil, err
		}
	}
	if err := b.ledger.salt(w.sealed); err != nil {
		return nil, err
	}
	for i := range j.Drafts {
		d, s := &j.Drafts[i], &w.sealed[i]
		s.digest = digest(s.salt[:], d.CaseID, d.CustomerID, d.Body)
	}
	return w, nil
}

// salt draws the salts of some drafts.
func (l *Ledger) salt(to []seal) error {
	l.salts.Lock()
	defer l.salts.Unlock()
	for i := range to {
		if _, err := io.ReadFull(l.config.Random, to[i].salt[:]); err != nil {
			return data.Faultf(ErrUnavailable, "ledger: append: random bytes: %w", err)
		}
	}
	return nil
}

// check refuses what a database would, by name.
func (d *Draft) check() error {
	if d.Kind.String() == "" {
		return data.Faultf(data.ErrUsage, "ledger: draft %q: no such kind: %d", d.Key, d.Kind)
	}
	if err := checkText(d.Kind.String()+" key", d.Key); err != nil {
		return err
	}
	for _, text := range []struct{ name, is string }{{"case id", d.CaseID}, {"customer id", d.CustomerID}} {
		if text.is == "" {
			continue
		}
		if err := checkText(text.name, text.is); err != nil {
			return err
		}
	}
	if len(d.Body) == 0 || len(d.Body) > maxBody {
		return data.Faultf(data.ErrUsage, "ledger: %s %q: the body has %d bytes, expected 1 to %d", d.Kind, d.Key, len(d.Body), maxBody)
	}
	for _, c := range d.Claims {
		if err := checkText("claim", c.Name); err != nil {
			return err
		}
	}
	if m := d.Move; m != nil {
		if err := checkText("attempt id", m.AttemptID); err != nil {
			return err
		}
		if m.CaseID != "" {
			if err := checkText("case id", m.CaseID); err != nil {
				return err
			}
		}
		if m.To < Intended || m.To > Refunded {
			return data.Faultf(data.ErrUsage, "ledger: attempt %q: no such state: %d", m.AttemptID, m.To)
		}
	}
	return nil
}

func checkText(name, is string) error {
	switch {
	case is == "":
		return data.Faultf(data.ErrUsage, "ledger: %s: empty", name)
	case len(is) > maxText:
		return data.Faultf(data.ErrUsage, "ledger: %s: has %d bytes, at most %d can be kept", name, len(is), maxText)
	case !utf8.ValidString(is) || strings.IndexByte(is, 0) >= 0:
		return data.Faultf(data.ErrUsage, "ledger: %s %q: not UTF-8 text without NUL", name, is)
	}
	return nil
}
