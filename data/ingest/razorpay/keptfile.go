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

// kept are the lines for the file of kept events. The lines themselves stay in
// the spill until they are written.
type kept struct{ lines []keptLine }

type keptLine struct {
	at    data.Micros
	id    string
	place int64 // in the spill
}

func (k *keptLine) compare(o *keptLine) int {
	return cmp.Or(cmp.Compare(k.at, o.at), cmp.Compare(k.id, o.id))
}

func (k *kept) add(line string, place int64) error {
	l, err := keptHead(line)
	if l.place = place; err == nil {
		k.lines = append(k.lines, l)
	}
	return err
}

func keptHead(line string) (keptLine, error) {
	var head Kept
	err := json.Unmarshal([]byte(line), &head)
	return keptLine{at: head.ReceivedAt, id: head.EventID}, err
}

// write adds the lines to the file of folder dir, in the order of their time; an
// event that it has stays as it is.
func (k *kept) write(dir string, from *spill) error {
	path := filepath.Join(dir, KeptName)
	fresh, err := k.fresh(path)
	if err != nil || len(fresh) == 0 {
		return err
	}
	return data.WriteFile(path, func(w io.Writer) error {
		put := func(l *keptLine) error {
			r, err := from.at(l.place)
			if err == nil {
				_, err = io.WriteString(w, r.Kept+"\n")
			}
			return err
		}
		err := eachKept(path, func(old *keptLine, text string) error {
			for len(fresh) > 0 && fresh[0].compare(old) < 0 {
				if err := put(&fresh[0]); err != nil {
					return err
				}
				fresh = fresh[1:]
			}
			_, err := io.WriteString(w, text+"\n")
			return err
		})
		for i := range fresh {
			err = cmp.Or(err, put(&fresh[i]))
		}
		return err
	})
}

// fresh is the lines that the file does not have, in the order of the file. A run
// keeps an event once.
func (k *kept) fresh(path string) ([]keptLine, error) {
	all := k.lines
	slices.SortFunc(all, func(a, b keptLine) int { return cmp.Compare(a.id, b.id) })
	err := eachKept(path, func(old *keptLine, _ string) error {
		if i, ok := slices.BinarySearchFunc(all, old.id, func(l keptLine, id string) int { return cmp.Compare(l.id, id) }); ok {
			all[i].place = -1
		}
		return nil
	})
	all = slices.DeleteFunc(all, func(l keptLine) bool { return l.place < 0 })
	slices.SortFunc(all, func(a, b keptLine) int { return a.compare(&b) })
	return all, err
}

// eachKept reads the file of kept events, if there is one.
func eachKept(path string, use func(l *keptLine, text string) error) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	for n := 1; in.Scan(); n++ {
		l, err := keptHead(in.Text())
		if err != nil {
			return data.Faultf(data.ErrContract, "razorpay: %s: line %d: %w: move the file away; the archives have its events", path, n, err)
		}
		if err := use(&l, in.Text()); err != nil {
			return err
		}
	}
	return in.Err()
}
