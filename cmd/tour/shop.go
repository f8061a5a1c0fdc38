package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"

	"recoup/data"
)

// row is an event of the world: as it would be posted, and as it is in a log.
type row struct {
	cursor data.Cursor
	text   []byte
}

// split makes a shop of a world: what was known before the day is the event log of
// folder shop, and each later day, up to the last, a body for /v1/events in folder
// later, named by its date. Decisions and outcomes of the world's own policy are not
// posted: a server records those that it makes itself.
func split(ctx context.Context, world, shop, later string, day, last data.Micros) (err error) {
	l, err := data.OpenLog(world)
	if err != nil {
		return err
	}
	w, err := data.NewWriter(shop, data.WriteOptions{Currency: "INR"})
	if err != nil {
		return err
	}
	var rows []row
	before := data.AsOf(day - 1)
	for _, take := range []func() error{
		func() error { return copyTable[data.Decision](l, w, before) },
		func() error { return copyTable[data.Outcome](l, w, before) },
		func() error { return splitTable[data.Attempt](l, w, before, last, &rows) },
		func() error { return splitTable[data.CaseEvent](l, w, before, last, &rows) },
		func() error { return splitTable[data.Subscription](l, w, before, last, &rows) },
		func() error { return splitTable[data.Mandate](l, w, before, last, &rows) },
		func() error { return splitTable[data.Notice](l, w, before, last, &rows) },
		func() error { return splitTable[data.Poll](l, w, before, last, &rows) },
		func() error { return splitTable[data.Promise](l, w, before, last, &rows) },
		func() error { return splitTable[data.Downtime](l, w, before, last, &rows) },
	} {
		if err := cmp.Or(take(), ctx.Err()); err != nil {
			return errors.Join(err, w.Abort())
		}
	}
	if _, err := w.Commit(ctx); err != nil {
		return err
	}
	return writeDays(later, rows)
}

// copyTable adds to the shop's log what was known before.
func copyTable[T data.Row](l *data.Log, w *data.Writer, before data.Cursor) error {
	for rows, err := range data.Scan[T](l, before) {
		if err == nil {
			err = data.Add(w, rows...)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// splitTable adds to the shop's log what was known before, and to rows what came
// after.
func splitTable[T data.Row](l *data.Log, w *data.Writer, before data.Cursor, last data.Micros, later *[]row) error {
	if err := copyTable[T](l, w, before); err != nil {
		return err
	}
	for rows, err := range data.Scan[T](l, data.AsOf(last)) {
		if err != nil {
			return err
		}
		for i := range rows {
			e := any(&rows[i]).(interface{ Cursor() data.Cursor })
			if e.Cursor().Compare(before) > 0 {
				*later = append(*later, row{e.Cursor(), data.AppendJSON(nil, &rows[i])})
			}
		}
	}
	return nil
}

// writeDays writes the bodies, an event a line.
func writeDays(dir string, rows []row) error {
	slices.SortFunc(rows, func(a, b row) int { return a.cursor.Compare(b.cursor) })
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for len(rows) > 0 {
		date := day(rows[0])
		n := slices.IndexFunc(rows, func(r row) bool { return day(r) != date })
		if n < 0 {
			n = len(rows)
		}
		of := rows[:n]
		rows = rows[n:]
		if err := data.WriteFile(filepath.Join(dir, date+".json"), func(w io.Writer) error { return writeDay(w, of) }); err != nil {
			return err
		}
	}
	return nil
}

func day(r row) string { return r.cursor.KnownAt.Time().UTC().Format("2006-01-02") }

func writeDay(to io.Writer, rows []row) error {
	w := bufio.NewWriter(to)
	w.WriteString(`{"events":[`)
	for i, r := range rows {
		if i > 0 {
			w.WriteByte(',')
		}
		w.WriteByte('\n')
		w.Write(r.text)
	}
	w.WriteString("\n]}\n")
	return w.Flush()
}
