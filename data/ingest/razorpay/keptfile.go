package razorpay

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"recoup/data"
)

// kept are the lines for the file of kept events.
type kept struct{ lines []keptLine }

type keptLine struct {
	at   data.Micros
	id   string
	line string
}

func (k *kept) add(line string) error {
	var head Kept
	if err := json.Unmarshal([]byte(line), &head); err != nil {
		return err
	}
	k.lines = append(k.lines, keptLine{head.ReceivedAt, head.EventID, line})
	return nil
}

// write adds the lines to the file of folder dir, in the order of their time; an
// event that it has stays as it is.
func (k *kept) write(dir string) error {
	if len(k.lines) == 0 {
		return nil
	}
	path := filepath.Join(dir, KeptName)
	all := kept{}
	if err := all.read(path); err != nil {
		return err
	}
	old := len(all.lines)
	known := make(map[string]bool, old+len(k.lines))
	for _, l := range all.lines {
		known[l.id] = true
	}
	for _, l := range k.lines {
		if !known[l.id] {
			known[l.id] = true
			all.lines = append(all.lines, l)
		}
	}
	if len(all.lines) == old {
		return nil
	}
	slices.SortFunc(all.lines, func(a, b keptLine) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.id, b.id)) })
	return data.WriteFile(path, func(w io.Writer) error {
		for _, l := range all.lines {
			if _, err := io.WriteString(w, l.line+"\n"); err != nil {
				return err
			}
		}
		return nil
	})
}

func (k *kept) read(path string) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	for n := 1; in.Scan(); n++ {
		if err := k.add(in.Text()); err != nil {
			return data.Faultf(data.ErrContract, "razorpay: %s: line %d: %w: move the file away; the archives have its events", path, n, err)
		}
	}
	return in.Err()
}
