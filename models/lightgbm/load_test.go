package lightgbm

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// fixture is a model as LightGBM wrote it, with LightGBM's own predictions.
type fixture struct {
	name string
	text []byte
	rows [][]float64
	raw  []float64
	p    []float64
}

func (f fixture) golden() []Golden {
	g := make([]Golden, len(f.rows))
	for i, row := range f.rows {
		g[i] = Golden{Row: row, Raw: f.raw[i]}
	}
	return g
}

// fixtures reads testdata; a lost file fails.
func fixtures(t testing.TB) []fixture {
	t.Helper()
	paths, err := filepath.Glob("testdata/*/model.txt")
	must(t, err)
	if len(paths) != 22 {
		t.Fatalf("%d fixtures in testdata, want 22", len(paths))
	}
	var out []fixture
	for _, path := range paths {
		out = append(out, readFixture(t, filepath.Base(filepath.Dir(path))))
	}
	return out
}

func readFixture(t testing.TB, name string) fixture {
	t.Helper()
	dir := filepath.Join("testdata", name)
	f := fixture{name: name, text: readFile(t, filepath.Join(dir, "model.txt"))}
	var columns []struct {
		Kind   string
		Levels []string
	}
	must(t, json.Unmarshal(readFile(t, filepath.Join(dir, "columns.json")), &columns))
	for _, cells := range readCSV(t, filepath.Join(dir, "rows.csv")) {
		row := make([]float64, len(cells))
		for j, s := range cells {
			switch c := columns[j]; {
			case c.Kind == "category":
				row[j] = math.NaN()
				if k := slices.Index(c.Levels, s); k >= 0 {
					row[j] = float64(k)
				}
			case s == "":
				row[j] = math.NaN()
			default:
				row[j] = parsed(t, s)
			}
		}
		f.rows = append(f.rows, row)
	}
	for _, cells := range readCSV(t, filepath.Join(dir, "expected.csv")) {
		f.raw, f.p = append(f.raw, parsed(t, cells[0])), append(f.p, parsed(t, cells[1]))
	}
	if len(f.rows) == 0 || len(f.rows) != len(f.raw) {
		t.Fatalf("%s: %d rows, %d answers", name, len(f.rows), len(f.raw))
	}
	return f
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	must(t, err)
	return b
}

func readCSV(t testing.TB, path string) [][]string {
	t.Helper()
	r := csv.NewReader(strings.NewReader(string(readFile(t, path))))
	cells, err := r.ReadAll()
	must(t, err)
	return cells[1:]
}

func parsed(t testing.TB, s string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(s, 64)
	must(t, err)
	return x
}

// Every fixture gives LightGBM's raw scores bit for bit, by the plain walk and by the
// compiled form, and its probabilities within 1e-12.
func TestFixtures(t *testing.T) {
	for _, f := range fixtures(t) {
		t.Run(f.name, func(t *testing.T) {
			l, err := Load(f.text, f.golden())
			must(t, err)
			if l.Golden != len(f.rows) || l.Hostile != HostileRows {
				t.Errorf("checked on %d golden and %d made-up rows", l.Golden, l.Hostile)
			}
			for i, row := range f.rows {
				raw, err := l.Model.Raw(row)
				must(t, err)
				if math.Float64bits(raw) != math.Float64bits(f.raw[i]) {
					t.Errorf("row %d: raw %v, LightGBM %v", i+1, raw, f.raw[i])
				}
				if p := l.Model.Prob(raw); math.Abs(p-f.p[i]) > 1e-12 {
					t.Errorf("row %d: p %v, LightGBM %v", i+1, p, f.p[i])
				}
			}
		})
	}
}

// The golden rows show what the file alone cannot: that it is another model than the one
// that was trained (a later start, a shortened number, other codes).
func TestLoadRefusesOtherScores(t *testing.T) {
	f := readFixture(t, "tiny")
	golden := f.golden()
	golden[3].Raw = math.Nextafter(golden[3].Raw, 1)
	_, err := Load(f.text, golden)
	if m := (*MismatchError)(nil); !errors.As(err, &m) || m.Row != 3 || m.Rows != "golden" || m.By != "LightGBM" || !strings.Contains(err.Error(), "golden row 4") {
		t.Errorf("one ulp off in golden row 4: %v", err)
	}
	if _, err := Load(f.text, []Golden{{Row: []float64{1, 2}}}); err == nil || !strings.Contains(err.Error(), "golden row 1") {
		t.Errorf("a golden row too short: %v", err)
	}
	cut := strings.Replace(string(f.text), "leaf_value=-0.46561798895473017", "leaf_value=-0.465617988", 1)
	if _, err := Load(resized(cut), f.golden()); !errors.As(err, new(*MismatchError)) {
		t.Errorf("a leaf value cut short: %v", err)
	}
}

func TestRawWidth(t *testing.T) {
	m, err := Parse(readFixture(t, "tiny").text)
	must(t, err)
	for _, row := range [][]float64{nil, {1, 2}, {1, 2, 3, 4}} {
		if _, err := m.Raw(row); err == nil || !strings.Contains(err.Error(), "3 features") {
			t.Errorf("a row of %d values: %v", len(row), err)
		}
	}
}
