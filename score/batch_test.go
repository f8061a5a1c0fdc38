package score

import (
	"bytes"
	"encoding/csv"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"recoup/data"
	"recoup/data/sim"
	"recoup/features"
)

// world is a simulated log of some 300 cases, and a time at which some are open.
func world(t *testing.T) (*data.Log, data.Micros) {
	t.Helper()
	dir := t.TempDir()
	_, err := sim.Write(t.Context(), sim.Config{Seed: 5, Cases: 300, Start: data.IST(2025, 1, 1, 0, 0), Months: 6}, sim.Uniform(), dir, "")
	must(t, err)
	l, err := data.OpenLog(dir)
	must(t, err)
	return l, data.IST(2025, 5, 20, 13, 37)
}

// rowsOf are the rows of a table as JSON, by their cursor.
type jsonRow struct {
	at   data.Cursor
	text []byte
}

// copyTable writes the rows of a table that are kept to another log, and gives
// them as JSON.
func copyTable[T data.Row](t *testing.T, l *data.Log, w *data.Writer, keep func(*T) bool) {
	t.Helper()
	for rows, err := range data.Scan[T](l, data.AsOf(1<<62)) {
		must(t, err)
		for i := range rows {
			if keep(&rows[i]) {
				must(t, data.Add(w, rows[i]))
			}
		}
	}
}

func jsonRows[T data.Row](t *testing.T, l *data.Log, cursor func(*T) data.Cursor) (out []jsonRow) {
	t.Helper()
	for rows, err := range data.Scan[T](l, data.AsOf(1<<62)) {
		must(t, err)
		for i := range rows {
			out = append(out, jsonRow{cursor(&rows[i]), data.AppendJSON(nil, &rows[i])})
		}
	}
	return out
}

// ofCustomer is the log of one customer of a log.
func ofCustomer(t *testing.T, l *data.Log, customer string) *data.Log {
	t.Helper()
	dir := t.TempDir()
	w, err := data.NewWriter(dir, data.WriteOptions{Currency: "INR"})
	must(t, err)
	cases, attempts := map[string]bool{}, map[string]bool{}
	copyTable(t, l, w, func(a *data.Attempt) bool {
		cases[a.CaseID] = cases[a.CaseID] || a.CustomerID == customer
		attempts[a.AttemptID] = a.CustomerID == customer
		return a.CustomerID == customer
	})
	copyTable(t, l, w, func(c *data.CaseEvent) bool { return cases[c.CaseID] })
	copyTable(t, l, w, func(s *data.Subscription) bool { return s.CustomerID == customer })
	copyTable(t, l, w, func(m *data.Mandate) bool { return m.CustomerID == customer })
	copyTable(t, l, w, func(n *data.Notice) bool { return cases[n.CaseID] })
	copyTable(t, l, w, func(p *data.Poll) bool { return attempts[p.AttemptID] })
	copyTable(t, l, w, func(p *data.Promise) bool { return cases[p.CaseID] })
	copyTable(t, l, w, func(*data.Downtime) bool { return true })
	copyTable(t, l, w, func(d *data.Decision) bool { return d.CustomerID == customer })
	_, err = w.Commit(t.Context())
	must(t, err)
	out, err := data.OpenLog(dir)
	must(t, err)
	return out
}

// requestOf asks about a case with all rows of a log, the newest first.
func requestOf(t *testing.T, l *data.Log, caseID string, asOf data.Micros) []byte {
	t.Helper()
	rows := slices.Concat(
		jsonRows(t, l, func(r *data.Attempt) data.Cursor { return r.Cursor() }), jsonRows(t, l, func(r *data.CaseEvent) data.Cursor { return r.Cursor() }),
		jsonRows(t, l, func(r *data.Subscription) data.Cursor { return r.Cursor() }), jsonRows(t, l, func(r *data.Mandate) data.Cursor { return r.Cursor() }),
		jsonRows(t, l, func(r *data.Notice) data.Cursor { return r.Cursor() }), jsonRows(t, l, func(r *data.Poll) data.Cursor { return r.Cursor() }),
		jsonRows(t, l, func(r *data.Promise) data.Cursor { return r.Cursor() }), jsonRows(t, l, func(r *data.Downtime) data.Cursor { return r.Cursor() }),
		jsonRows(t, l, func(r *data.Decision) data.Cursor { return r.Cursor() }))
	slices.SortFunc(rows, func(a, b jsonRow) int { return b.at.Compare(a.at) })
	b := []byte(`{"case_id":"` + caseID + `","as_of":` + strconv.FormatInt(int64(asOf), 10) + `,"events":[`)
	for i, r := range rows {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, r.text...)
	}
	return append(b, "]}"...)
}

// A log in batch and a request with the same events give the same answer: whole
// decisions, for every open case of some customers.
func TestBatchEqualsAnswer(t *testing.T) {
	l, asOf := world(t)
	e := engine(t, testBundle(t, nil))
	states, err := features.FoldLog(t.Context(), l, data.AsOf(asOf), 1, nil)
	must(t, err)
	n, actions := 0, map[data.Action]bool{}
	var done []string
	for _, id := range states[0].OpenCases() {
		f, err := states[0].Facts(id, asOf)
		must(t, err)
		if slices.Contains(done, f.CustomerID) || len(done) == 10 || asOf-f.FirstFailure >= e.policy.horizon {
			continue
		}
		done = append(done, f.CustomerID)
		one := ofCustomer(t, l, f.CustomerID)
		states, err := features.FoldLog(t.Context(), one, data.AsOf(asOf), 3, nil)
		must(t, err)
		var sum BatchSummary
		cases, err := e.toDecide(states, asOf, &sum)
		must(t, err)
		batch, err := e.decideAll(states, cases, asOf)
		must(t, err)
		for i := range batch {
			n++
			actions[batch[i].Allowed[batch[i].Chosen].Action] = true
			d := answer(t, e, requestOf(t, one, cases[i].id, asOf))
			d.Warnings = slices.DeleteFunc(d.Warnings, func(w string) bool { return bytes.Contains([]byte(w), []byte("not known at as_of")) })
			if text(t, d) != text(t, batch[i]) {
				t.Errorf("case %s:\nin batch %s\nanswered %s", cases[i].id, text(t, batch[i]), text(t, d))
			}
		}
	}
	if n < 8 || len(actions) < 2 {
		t.Errorf("%d cases, actions %v: too few to tell", n, actions)
	}
}

// The files do not depend on the number of goroutines, and hold what was decided.
func TestBatchFiles(t *testing.T) {
	l, asOf := world(t)
	e, dir := engine(t, testBundle(t, nil)), t.TempDir()
	var first BatchSummary
	for _, workers := range []int{1, 2, 7} {
		out := filepath.Join(dir, strconv.Itoa(workers))
		sum, err := e.Batch(t.Context(), l, BatchOptions{AsOf: asOf, Out: out, Candidates: true, Workers: workers})
		must(t, err)
		if want := []string{out + ".parquet", out + ".csv", out + "-candidates.parquet", out + "-candidates.csv"}; !slices.Equal(sum.Files, want) {
			t.Fatalf("files %v", sum.Files)
		}
		if workers == 1 {
			first = sum
		}
		for i, f := range sum.Files {
			a, err := os.ReadFile(f)
			must(t, err)
			b, err := os.ReadFile(first.Files[i])
			must(t, err)
			if !bytes.Equal(a, b) {
				t.Errorf("%d workers: %s differs", workers, f)
			}
		}
		if first.Cases != sum.Cases || first.EV != sum.EV || sum.Cases < 8 {
			t.Errorf("%d workers: %+v", workers, sum)
		}
	}
	cases, candidates := readCSV(t, first.Files[1]), readCSV(t, first.Files[3])
	if len(cases) != first.Cases+1 || cases[0][0] != "case_id" || candidates[0][0] != "case_id" {
		t.Fatalf("%d rows of %d cases", len(cases), first.Cases)
	}
	chosen, at := map[string][]string{}, slices.Index(candidates[0], "chosen")
	for _, c := range candidates[1:] {
		if c[at] == "true" {
			chosen[c[0]] = c
		}
	}
	var ev int64
	for i, c := range cases[1:] {
		if i > 0 && c[0] <= cases[i][0] {
			t.Errorf("case %s after %s", c[0], cases[i][0])
		}
		for k, name := range candidates[0][:at] {
			if j := slices.Index(cases[0], name); c[j] != chosen[c[0]][k] {
				t.Errorf("case %s: %s is %q, of the chosen candidate %q", c[0], name, c[j], chosen[c[0]][k])
			}
		}
		v, err := strconv.ParseInt("0"+c[slices.Index(cases[0], "ev_paise")], 10, 64)
		must(t, err)
		ev += v
	}
	if ev != int64(first.EV) {
		t.Errorf("EV of the rows %d, of the summary %d", ev, int64(first.EV))
	}
	sameAsParquet(t, cases, first.Files[0])
	sameAsParquet(t, candidates, first.Files[2])
}

func readCSV(t *testing.T, path string) [][]string {
	t.Helper()
	f, err := os.Open(path)
	must(t, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	must(t, err)
	return rows
}

// sameAsParquet: both files hold the same table.
func sameAsParquet(t *testing.T, want [][]string, path string) {
	t.Helper()
	f, err := data.OpenFrames(path)
	must(t, err)
	defer f.Close()
	n := 1
	for frame, err := range f.Frames() {
		must(t, err)
		for r := range frame.N {
			for i := range frame.Columns {
				if got := cell(&frame.Columns[i], r); got != want[n][i] || frame.Columns[i].Name != want[0][i] {
					t.Fatalf("%s, row %d, %s: %q, in the CSV %q", path, n, frame.Columns[i].Name, got, want[n][i])
				}
			}
			n++
		}
	}
	if n != len(want) {
		t.Errorf("%s: %d rows, in the CSV %d", path, n-1, len(want)-1)
	}
}

// A case leaves the batch when its first failure is as old as the horizon; a log
// without open cases gives files without rows; the name says which files.
func TestBatchEdges(t *testing.T) {
	dir := t.TempDir()
	w, err := data.NewWriter(dir, data.WriteOptions{Currency: "INR"})
	must(t, err)
	for _, r := range failure(everyAction).rows {
		must(t, data.Add(w, *r.Row.(*data.Attempt)))
	}
	_, err = w.Commit(t.Context())
	must(t, err)
	l, err := data.OpenLog(dir)
	must(t, err)
	e := engine(t, nil)
	for _, c := range []struct {
		asOf        data.Micros
		cases, past int
		out         string
		files       []string
	}{
		{failedAt, 1, 0, "a", []string{"a.parquet", "a.csv"}},
		{failedAt + 21*data.Day - 1, 1, 0, "b.csv", []string{"b.csv"}},
		{failedAt + 21*data.Day, 0, 1, "c.parquet", []string{"c.parquet"}},
		{failedAt - 1, 0, 0, "d.x", []string{"d.x.parquet", "d.x.csv"}},
	} {
		sum, err := e.Batch(t.Context(), l, BatchOptions{AsOf: c.asOf, Out: filepath.Join(dir, c.out), Workers: 2})
		must(t, err)
		var files []string
		for _, f := range sum.Files {
			files = append(files, filepath.Base(f))
			if filepath.Ext(f) == ".csv" && len(readCSV(t, f)) != c.cases+1 {
				t.Errorf("%s: %d rows", f, len(readCSV(t, f)))
			}
		}
		if sum.Cases != c.cases || sum.PastHorizon != c.past || !slices.Equal(files, c.files) || sum.ByRules != c.cases || sum.ModelID != nil {
			t.Errorf("%s: %+v", c.asOf, sum)
		}
	}
	for name, o := range map[string]BatchOptions{"no as_of": {Out: "x", Workers: 1}, "no name": {AsOf: 1, Workers: 1}, "no worker": {AsOf: 1, Out: "x"}} {
		if _, err := e.Batch(t.Context(), l, o); !errors.Is(err, data.ErrUsage) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := e.Batch(t.Context(), l, BatchOptions{AsOf: failedAt, Out: filepath.Join(dir, "no", "folder"), Workers: 1}); err == nil {
		t.Error("wrote into a folder that is not there")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*tmp*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
