package main

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"recoup/data"
)

// caseBodies makes n different requests out of a log, each for a case as it
// stood right after its first failure: the rows of its customer until then. No two
// are alike, so that nothing can be answered from memory.
func caseBodies(dir string, n int) ([][]byte, error) {
	log, err := data.OpenLog(dir)
	if err != nil {
		return nil, err
	}
	all := data.AsOf(1 << 62)
	var rows []customerRow
	caseOf := map[string]string{} // customer of a case
	var failures []data.Attempt
	for batch, err := range data.Scan[data.Attempt](log, all) {
		if err != nil {
			return nil, err
		}
		for i := range batch {
			a := &batch[i]
			caseOf[a.CaseID] = a.CustomerID
			rows = append(rows, customerRow{a.CustomerID, a.Cursor(), data.AppendJSON(nil, a)})
			if a.AttemptNo == 0 && a.Status == data.Failed && (a.Reason.Class() == data.RetryScheduled || a.Reason.Class() == data.RetryNow) {
				failures = append(failures, *a)
			}
		}
	}
	if rows, err = rowsOf(log, rows, func(m *data.Mandate) string { return m.CustomerID }); err != nil {
		return nil, err
	}
	if rows, err = rowsOf(log, rows, func(s *data.Subscription) string { return s.CustomerID }); err != nil {
		return nil, err
	}
	if rows, err = rowsOf(log, rows, func(e *data.CaseEvent) string { return caseOf[e.CaseID] }); err != nil {
		return nil, err
	}
	if rows, err = rowsOf(log, rows, func(n *data.Notice) string { return caseOf[n.CaseID] }); err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, func(a, b customerRow) int {
		return cmp.Or(cmp.Compare(a.customer, b.customer), a.cursor.Compare(b.cursor))
	})
	var bodies [][]byte
	for i := range min(n, len(failures)) { // evenly over the log: short histories and long ones
		bodies = append(bodies, body(failures[i*len(failures)/min(n, len(failures))], rows))
	}
	if len(bodies) == 0 {
		return nil, fmt.Errorf("%s: no failure that may be retried", dir)
	}
	return bodies, nil
}

// customerRow is a row of the log as JSON.
type customerRow struct {
	customer string
	cursor   data.Cursor
	json     []byte
}

// rowsOf adds the rows of a table.
func rowsOf[T data.Row](log *data.Log, rows []customerRow, customer func(*T) string) ([]customerRow, error) {
	for batch, err := range data.Scan[T](log, data.AsOf(1<<62)) {
		if err != nil {
			return nil, err
		}
		for i := range batch {
			rows = append(rows, customerRow{customer(&batch[i]), any(&batch[i]).(interface{ Cursor() data.Cursor }).Cursor(), data.AppendJSON(nil, &batch[i])})
		}
	}
	return rows, nil
}

// body is the request for a case as of its failure.
func body(f data.Attempt, rows []customerRow) []byte {
	from, _ := slices.BinarySearchFunc(rows, f.CustomerID, func(r customerRow, id string) int { return cmp.Compare(r.customer, id) })
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"as_of":{"known_at":%d,"seq":%d},"case_id":%q,"events":[`, f.KnownAt, f.Seq, f.CaseID)
	comma := ""
	for _, r := range rows[from:] {
		if r.customer != f.CustomerID || !f.Cursor().Sees(r.cursor) {
			break
		}
		b.WriteString(comma)
		b.Write(r.json)
		comma = ","
	}
	b.WriteString("]}")
	return b.Bytes()
}
