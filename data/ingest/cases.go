package ingest

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"recoup/data"
)

// plan says for every row, in the order of reading, to which case it belongs
// and which attempt of it it is. Making it needs about 100 bytes a row of
// memory: attempts of one case may stand anywhere in the files.
type plan struct {
	gap    data.Micros
	places []place
	names  []string // ids of the cases
	next   int      // rows handed out
}

// place is where a row belongs; case -1 says that its number would change
// numbers that the log has.
type place struct {
	caseAt int32
	number int32
}

// presented is one row in the order of a case.
type presented struct {
	key [16]byte
	at  data.Micros
	id  string // attempt_id
	row int32  // -1 = a row of the log
	old place  // of a row of the log
}

// needsPlan says whether cases or numbers depend on other rows.
func (m *Mapping) needsPlan() bool {
	return m.Table == "attempts" && m.Case != nil && (m.Case.Gap > 0 || m.Number == nil) ||
		m.Table == "attempts" && m.Case == nil && m.Number == nil
}

// keyOf is what the attempts of a case have in common, short.
func (m *Mapping) keyOf(r *row) string {
	if m.Case == nil {
		return r.values[m.at.caseID].s
	}
	if len(m.Case.By) == 1 && m.Case.Gap == 0 {
		return r.caseKey
	}
	sum := sha256.Sum256([]byte(r.caseKey))
	if m.Case.Gap == 0 {
		return hex.EncodeToString(sum[:16])
	}
	return hex.EncodeToString(sum[:10])
}

// caseID names a case: by its key, and with a gap by its first attempt's time.
func (m *Mapping) caseID(key string, first data.Micros) string {
	if m.Case != nil && m.Case.Gap > 0 {
		return key + "-" + strconv.FormatInt(int64(first), 10)
	}
	return key
}

// collector gathers the rows of a plan.
type collector struct {
	m    *Mapping
	rows []presented
	n    int32
	keys map[[16]byte]string
}

func (m *Mapping) newCollector() *collector {
	return &collector{m: m, keys: map[[16]byte]string{}}
}

func (c *collector) add(r *row) {
	key := c.m.keyOf(r)
	sum := c.key(key)
	c.rows = append(c.rows, presented{sum, data.Micros(r.values[0].i), strings.Clone(r.values[c.m.at.id].s), c.n, place{}})
	c.n++
}

func (c *collector) key(key string) [16]byte {
	full := sha256.Sum256([]byte(key))
	sum := [16]byte(full[:16])
	if _, ok := c.keys[sum]; !ok {
		c.keys[sum] = strings.Clone(key)
	}
	return sum
}

// addLog adds the attempts that the log of folder dir has, so that a later file
// goes on where an earlier one ended.
func (c *collector) addLog(ctx context.Context, dir string) error {
	if _, err := os.Stat(filepath.Join(dir, "events", "manifest.json")); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	l, err := data.OpenLog(dir)
	if err != nil {
		return err
	}
	for batch, err := range data.Scan[data.Attempt](l, data.AsOf(1<<62), "case_id", "attempt_id", "attempt_no") {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		for i := range batch {
			a := &batch[i]
			key, name := a.CaseID, int32(-1)
			if c.m.Case != nil && c.m.Case.Gap > 0 {
				if k := strings.LastIndexByte(key, '-'); k >= 0 {
					key = key[:k]
				}
			}
			c.rows = append(c.rows, presented{c.key(key), a.OccurredAt, strings.Clone(a.AttemptID), -1, place{name, a.AttemptNo}})
		}
	}
	return nil
}

// plan puts the rows of each key in order of time, ties by attempt_id (shorter
// first, so that numbers count up), cuts them into cases and numbers the
// attempts. A later row of an attempt stays with its first one.
func (c *collector) plan() *plan {
	slices.SortFunc(c.rows, func(a, b presented) int {
		return cmp.Or(slices.Compare(a.key[:], b.key[:]), cmp.Compare(a.at, b.at),
			cmp.Compare(len(a.id), len(b.id)), cmp.Compare(a.id, b.id), cmp.Compare(a.row, b.row))
	})
	p := &plan{places: make([]place, c.n)}
	if c.m.Case != nil {
		p.gap = c.m.Case.Gap
	}
	for from := 0; from < len(c.rows); {
		to := from + 1
		for to < len(c.rows) && c.rows[to].key == c.rows[from].key {
			to++
		}
		c.cut(p, c.rows[from:to])
		from = to
	}
	return p
}

// cut gives the rows of one key their places.
func (c *collector) cut(p *plan, rows []presented) {
	at := map[string]place{}
	last, number := data.Micros(0), int32(0)
	clash := false
	for i := range rows {
		r := &rows[i]
		pl, ok := at[r.id]
		if !ok {
			if len(at) == 0 || p.gap > 0 && r.at-last > p.gap {
				p.names = append(p.names, c.m.caseID(c.keys[r.key], r.at))
				number = 0
			}
			pl = place{int32(len(p.names) - 1), number}
			number++
			last = r.at
			at[r.id] = pl
		}
		if r.row < 0 {
			clash = clash || r.old.number != pl.number
		} else {
			p.places[r.row] = pl
		}
	}
	if clash {
		for _, r := range rows {
			if r.row >= 0 {
				p.places[r.row].caseAt = -1
			}
		}
	}
}

// take is the place of the next row.
func (p *plan) take() (caseID string, number int32, why string) {
	pl := p.places[p.next]
	p.next++
	if pl.caseAt < 0 {
		return "", 0, "it would renumber attempts that the log has: read the whole history in one run, into a new folder"
	}
	return p.names[pl.caseAt], pl.number, ""
}

// String is for faults of the program.
func (p *plan) String() string {
	return fmt.Sprintf("plan of %d rows, %d cases", len(p.places), len(p.names))
}
