package live

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"recoup/data"
	"recoup/data/ledger"
	"recoup/features"
	"recoup/score"
)

// Parity is what came of rebuilding the feature rows of the book's decisions from the
// tenant's event log, and comparing them with the bytes that were recorded when the
// decisions were made.
type Parity struct {
	Tenant     string    `json:"tenant"`
	Decisions  int       `json:"decisions"`  // of the book, exported
	Checked    int       `json:"checked"`    // rows were built and compared
	Candidates int64     `json:"candidates"` // their rows
	Numbers    int64     `json:"numbers"`    // of the rows of what was decided
	Unasked    int       `json:"unasked"`    // no model was asked: there are no rows
	Erased     int       `json:"erased"`     // the body is gone
	OtherRows  int       `json:"other_rows"` // made by a recoup that builds other columns
	Waiting    int       `json:"waiting"`    // not exported yet: not compared
	Different  int       `json:"different"`  // decisions with a byte that differs
	Bytes      int64     `json:"bytes"`      // that differ, of the rows of what was decided
	Examples   []Unequal `json:"examples"`   // the first ones
}

// Unequal is a decision whose rows are not those that the log gives.
type Unequal struct {
	DecisionID string `json:"decision_id"`
	CaseID     string `json:"case_id"`
	AsOf       string `json:"as_of"`
	Seq        int64  `json:"seq"` // of the entry
	Why        string `json:"why"`
}

// maxUnequal is how many examples are told.
const maxUnequal = 10

// rowsClaim is what a decision's entry says about its rows.
type rowsClaim struct {
	seq        int64
	id, caseID string
	asOf       data.Micros
	decidedAt  data.Micros
	candidates []data.Candidate
	decided    int
	row        []byte
	sum        string
}

// CheckParity replays the log of a tenant's folder up to each decision of the book,
// builds the rows once more, and compares. It needs no model and no policy: rows are
// a function of the log. progress may be nil.
func CheckParity(ctx context.Context, tenant, dir string, book *ledger.Book, progress func(done, total int64)) (Parity, error) {
	out := Parity{Tenant: tenant, Examples: []Unequal{}}
	claims, err := out.claims(ctx, book)
	if err != nil || len(claims) == 0 {
		return out, err
	}
	l, _, err := openLog(dir)
	if err != nil {
		return out, err
	}
	if l == nil {
		return out, data.Faultf(data.ErrContract, "live: parity: %s: the book has exported decisions and there is no event log", dir)
	}
	slices.SortStableFunc(claims, func(a, b *rowsClaim) int { return cmp.Compare(a.asOf, b.asOf) })
	s, folded, m := features.NewState(), int64(0), l.Manifest()
	total := int64(0)
	for _, f := range m.Files {
		total += f.Rows
	}
	for row, err := range rowsAfter(l, data.Cursor{KnownAt: math.MinInt64}) {
		if err != nil {
			return out, err
		}
		for len(claims) > 0 && !data.AsOf(claims[0].asOf).Sees(row.Cursor()) {
			if err := out.compare(s, claims[0]); err != nil {
				return out, err
			}
			claims = claims[1:]
		}
		if len(claims) == 0 {
			break
		}
		if err := features.FoldAny(s, row); err != nil {
			return out, err
		}
		if folded++; folded%4096 == 0 {
			if err := ctx.Err(); err != nil {
				return out, err
			}
			if progress != nil {
				progress(folded, total)
			}
		}
	}
	for _, c := range claims {
		if err := out.compare(s, c); err != nil {
			return out, err
		}
	}
	return out, nil
}

// claims reads the decisions of the book.
func (p *Parity) claims(ctx context.Context, book *ledger.Book) ([]*rowsClaim, error) {
	exported, err := book.Exported(ctx)
	if err != nil {
		return nil, err
	}
	var out []*rowsClaim
	schema := features.AttemptSchema().Fingerprint()
	for e, err := range book.Scan(ctx, 0) {
		if err != nil {
			return nil, err
		}
		switch {
		case e.Kind != ledger.Decision:
			continue
		case e.Seq > exported:
			p.Waiting++
			continue
		}
		if p.Decisions++; e.Body == nil {
			p.Erased++
			continue
		}
		x, err := readDecision(&e)
		if err != nil {
			return nil, err
		}
		switch {
		case x.sum == "":
			p.Unasked++
		case x.Schema != schema:
			p.OtherRows++
		default:
			c := &rowsClaim{seq: e.Seq, id: x.ID, caseID: x.CaseID, asOf: x.AsOf.KnownAt, decidedAt: x.DecidedAt, decided: x.Decided, row: x.row, sum: x.sum}
			for i := range x.Allowed {
				c.candidates = append(c.candidates, data.Candidate{Action: x.Allowed[i].Action, At: x.Allowed[i].At})
			}
			out = append(out, c)
		}
	}
	return out, nil
}

// compare builds the rows of a decision at its as_of and compares them.
func (p *Parity) compare(s *features.State, c *rowsClaim) error {
	p.Checked++
	p.Candidates += int64(len(c.candidates))
	p.Numbers += int64(len(c.row) / 8)
	as := data.AsOf(c.asOf)
	if s.AsOf().Compare(as) < 0 {
		if err := s.Until(as); err != nil {
			return err
		}
	}
	row, sum, err := rebuilt(s, c)
	switch {
	case err != nil:
		p.unequal(c, int64(len(c.row)), err.Error())
	case !bytes.Equal(row, c.row):
		n, first := differing(row, c.row)
		p.unequal(c, n, fmt.Sprintf("number %d of the row of what was decided", first/8))
	case sum != c.sum:
		p.unequal(c, 0, "the row of a candidate that was not decided")
	}
	return nil
}

func rebuilt(s *features.State, c *rowsClaim) (row []byte, sum string, err error) {
	past, err := s.Past(c.caseID, c.decidedAt)
	if err != nil {
		return nil, "", err
	}
	f, err := s.Facts(c.caseID, c.decidedAt)
	if err != nil {
		return nil, "", err
	}
	return score.Rows(past, f.LastFailure, c.candidates, c.decided)
}

func (p *Parity) unequal(c *rowsClaim, n int64, why string) {
	p.Different++
	p.Bytes += n
	if len(p.Examples) < maxUnequal {
		p.Examples = append(p.Examples, Unequal{c.id, c.caseID, c.asOf.String(), c.seq, why})
	}
}

// differing counts the bytes that differ, and finds the first; one row may be longer.
func differing(a, b []byte) (n int64, first int) {
	first = -1
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			if n++; first < 0 {
				first = i
			}
		}
	}
	return n, first
}
