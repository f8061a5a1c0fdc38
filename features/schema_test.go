package features

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"

	"recoup/data"
)

var logTables = []string{"attempts", "case_events", "subscriptions", "mandates", "notices", "polls", "promises", "downtimes"}

func TestSchemasAreComplete(t *testing.T) {
	for _, s := range []Schema{AttemptSchema(), CureSchema()} {
		groups, names := map[string]int{}, map[string]bool{}
		for _, c := range s.Columns {
			groups[c.Group]++
			if names[c.Name] || c.Name == "" || c.Doc == "" {
				t.Errorf("%s: column %q: a name twice, or no doc", s.Name, c.Name)
			}
			names[c.Name] = true
			if (c.Levels == nil) == (c.Unit == "") {
				t.Errorf("%s: %s: a number has a unit, a category has levels", s.Name, c.Name)
			}
			if c.Levels != nil && c.Levels[0] != "unknown" {
				t.Errorf("%s: %s: level 0 is %q", s.Name, c.Name, c.Levels[0])
			}
			for _, table := range c.Tables {
				if !slices.Contains(logTables, table) {
					t.Errorf("%s: %s: may read %q, which tells outcomes or does not exist", s.Name, c.Name, table)
				}
			}
			if c.Candidate != (c.Group == GroupCandidate) {
				t.Errorf("%s: %s: candidate %t in group %s", s.Name, c.Name, c.Candidate, c.Group)
			}
		}
		for _, m := range append(AttemptMeta(), PeriodMeta()...) {
			if names[m] {
				t.Errorf("%s: %s is a feature and a column beside them", s.Name, m)
			}
		}
		for _, b := range s.Blocks {
			a, c := s.Index(b.A), s.Index(b.B)
			if a < 0 || c < 0 || a == c || s.Columns[c].Levels != nil {
				t.Errorf("%s: block %s: %s x %s", s.Name, b.Name, b.A, b.B)
			}
		}
		t.Logf("%s: %d columns %v, %d blocks", s.Name, len(s.Columns), groups, len(s.Blocks))
	}
	if n := len(AttemptSchema().Columns); n < 45 {
		t.Errorf("attempt schema: %d columns, at least 45 are needed", n)
	}
}

func TestFingerprintFollowsMeaning(t *testing.T) {
	base := AttemptSchema().Fingerprint()
	if base != AttemptSchema().Fingerprint() || base == CureSchema().Fingerprint() {
		t.Error("a fingerprint names one schema")
	}
	for what, change := range map[string]func(*Schema){
		"name": func(s *Schema) { s.Columns[3].Name += "x" }, "unit": func(s *Schema) { s.Columns[4].Unit = "paise" },
		"level": func(s *Schema) { s.Columns[0].Levels[2] = "x" }, "default": func(s *Schema) { s.Columns[4].Default++ },
		"tables": func(s *Schema) { s.Columns[4].Tables = nil }, "order": func(s *Schema) { s.Columns[1], s.Columns[2] = s.Columns[2], s.Columns[1] },
		"block": func(s *Schema) { s.Blocks[0].B = "amount" }, "version": func(s *Schema) { s.Version++ },
	} {
		s := AttemptSchema()
		if change(&s); s.Fingerprint() == base {
			t.Errorf("another %s, the same fingerprint", what)
		}
	}
}

// No column is a function of one other: on random logs every pair has rows that
// agree in the one and differ in the other. Columns that those logs leave
// constant, and the near-unique ones that determine everything, tell nothing.
func TestNoColumnIsAFunctionOfAnother(t *testing.T) {
	l := randomRows(9, 120, 6).write(t, t.TempDir())
	attempts, periods := build(t, l, epoch+170*data.Day, 1)
	for _, table := range []struct {
		schema Schema
		rows   []tableRow
	}{{AttemptSchema(), attempts}, {CureSchema(), periods}} {
		n := len(table.schema.Columns)
		distinct := make([]int, n)
		for c := range n {
			seen := map[float64]bool{}
			for _, r := range table.rows {
				seen[r.x[c]] = true
			}
			distinct[c] = len(seen)
		}
		for a := range n {
			if distinct[a] > 40 || table.schema.Columns[a].Unit == "rate" { // a ratio of small counts names its counts, for a while
				continue
			}
			for b := range n {
				if a == b || distinct[b] < 2 {
					continue
				}
				if determines(table.rows, a, b) {
					t.Errorf("%s: %s (%d values) is a function of %s (%d values)", table.schema.Name,
						table.schema.Columns[b].Name, distinct[b], table.schema.Columns[a].Name, distinct[a])
				}
			}
		}
	}
}

func determines(rows []tableRow, a, b int) bool {
	of := map[float64]float64{}
	for _, r := range rows {
		if v, known := of[r.x[a]]; known && v != r.x[b] {
			return false
		}
		of[r.x[a]] = r.x[b]
	}
	return true
}

func TestCheckNamesTheColumn(t *testing.T) {
	s := AttemptSchema()
	row := make([]float64, len(s.Columns))
	must(t, s.Check(row))
	for _, tt := range []struct {
		at   int
		x    float64
		want string
	}{{4, math.NaN(), "amount"}, {4, math.Inf(1), "amount"}, {0, 99, "class"}, {0, -1, "class"}, {0, 0.5, "class"}} {
		bad := slices.Clone(row)
		bad[tt.at] = tt.x
		if err := s.Check(bad); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v in column %d: %v", tt.x, tt.at, err)
		}
	}
	if s.Check(row[1:]) == nil {
		t.Error("a row that is too short passes")
	}
}

// The Arrow stream has the table's columns, types and values.
func TestArrowStreamEqualsTable(t *testing.T) {
	l := randomRows(6, 10, 4).write(t, t.TempDir())
	s, err := Build(t.Context(), l, BuildOptions{AsOf: data.AsOf(epoch + leakEnd), Dir: t.TempDir()})
	must(t, err)
	f, err := data.OpenFrames(s.Attempts.Path)
	must(t, err)
	defer f.Close()
	var out bytes.Buffer
	must(t, WriteArrow(&out, f))
	r, err := ipc.NewReader(&out)
	must(t, err)
	defer r.Release()
	if fp, _ := r.Schema().Metadata().GetValue("fingerprint"); fp != AttemptSchema().Fingerprint() {
		t.Errorf("fingerprint %q in the stream", fp)
	}
	n := 0
	want := read(t, s.Attempts.Path, AttemptSchema())
	for r.Next() {
		rec := r.Record()
		for i := range int(rec.NumRows()) {
			for k, field := range rec.Schema().Fields() {
				switch col := rec.Column(k).(type) {
				case *array.Float64:
					if col.Value(i) != want[n].num[field.Name] {
						t.Fatalf("row %d: %s: %v, expected %v", n, field.Name, col.Value(i), want[n].num[field.Name])
					}
				case *array.String:
					if col.Value(i) != want[n].text[field.Name] {
						t.Fatalf("row %d: %s: %v, expected %v", n, field.Name, col.Value(i), want[n].text[field.Name])
					}
				}
			}
			n++
		}
	}
	must(t, r.Err())
	if n != len(want) || n == 0 {
		t.Errorf("%d rows in the stream, %d in the table", n, len(want))
	}
}

func TestRowsRefuse(t *testing.T) {
	s := NewState()
	failed := attempt("c1", 0, epoch, data.Failed)
	failed.Seq = 1
	must(t, Fold(s, &failed))
	p, err := s.Past("c1", epoch+data.Hour)
	must(t, err)
	if _, err := p.AttemptRow(nil, data.Candidate{Action: data.Retry, At: epoch}); err == nil {
		t.Error("a candidate before its decision")
	}
	if _, err := p.AttemptRow(nil, data.Candidate{Action: data.Nudge, At: epoch + data.Day}); err == nil {
		t.Error("a nudge is no attempt")
	}
	for _, day := range []int{-1, CureDays} {
		if _, err := p.CureRow(nil, day, nil); err == nil {
			t.Errorf("day %d", day)
		}
	}
	if _, err := s.Past("c1", epoch-1); err == nil {
		t.Error("a decision before the failure was known")
	}
	if _, err := s.Past("c2", epoch); err == nil {
		t.Error("a case that nobody knows")
	}
	for _, o := range []BuildOptions{{}, {Dir: "x"}, {AsOf: data.AsOf(1)}, {AsOf: data.AsOf(1), Dir: "x", Workers: -1}} {
		if _, err := Build(t.Context(), nil, o); err == nil {
			t.Errorf("%+v", o)
		}
	}
}

// A model fits the schema it was trained with, by fingerprint. A change of
// columns, units, levels, defaults, tables or blocks makes every model in use
// unfit for serving until it is trained again: it must not happen by accident.
func TestFingerprintsArePinned(t *testing.T) {
	for _, tt := range []struct {
		schema Schema
		want   string
	}{
		{AttemptSchema(), "b34499a9"},
		{CureSchema(), "09f4bdc7"},
	} {
		if got := tt.schema.Fingerprint(); !strings.HasPrefix(got, tt.want) {
			t.Errorf("the %s schema is now %.8s, it was %s: every model fitted before is refused. "+
				"If that is not meant, undo the change of its columns; if it is, raise Version in its schema, say so in the changelog "+
				"(models must be trained again), and pin the new fingerprint here", tt.schema.Name, got, tt.want)
		}
	}
}
