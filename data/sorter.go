package data

import (
	"bufio"
	"bytes"
	"cmp"
	"container/heap"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// Limits of a run held in memory; a log of any size is sorted within them.
const (
	defaultRunRows = 1 << 20
	runBytes       = 32 << 20
	blockBytes     = 1 << 20
)

// sorter orders the encoded rows of all tables by (known_at, event_id). Runs
// that outgrow their limits are spilled to files and merged at the end.
type sorter struct {
	dir     string // of spilled runs
	maxRows int
	block   []byte // the newest block of record bytes
	size    int    // bytes of all records in memory
	entries []entry
	runs    []string
	counts  [16]int64 // rows taken, by table
	scratch []byte
}

// entry is a row to be sorted.
type entry struct {
	known Micros
	table uint8
	rec   []byte // event_id first
}

// compareEntries is a total order of different rows, so that the order of Add
// and the spilling cannot show in the result.
func compareEntries(a, b entry) int {
	if c := cmp.Compare(a.known, b.known); c != 0 {
		return c
	}
	if c := bytes.Compare(recordID(a.rec), recordID(b.rec)); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(a.table, b.table), bytes.Compare(a.rec, b.rec))
}

func recordID(rec []byte) []byte {
	n, k := binary.Uvarint(rec)
	return rec[k : k+int(n)]
}

// add takes a row; encode appends its bytes.
func (s *sorter) add(known Micros, table uint8, encode func([]byte) []byte) error {
	s.scratch = encode(s.scratch[:0])
	s.counts[table]++
	if len(s.block)+len(s.scratch) > cap(s.block) {
		s.block = make([]byte, 0, max(blockBytes, len(s.scratch)))
	}
	start := len(s.block)
	s.block = append(s.block, s.scratch...)
	s.entries = append(s.entries, entry{known, table, s.block[start:len(s.block):len(s.block)]})
	s.size += len(s.scratch)
	if len(s.entries) >= s.maxRows || s.size >= runBytes {
		return s.spill()
	}
	return nil
}

// spill writes the run in memory to a file.
func (s *sorter) spill() (err error) {
	slices.SortFunc(s.entries, compareEntries)
	path := filepath.Join(s.dir, fmt.Sprintf("run-%06d", len(s.runs)))
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("data: spill: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriterSize(f, 256<<10)
	var head []byte
	for _, e := range s.entries {
		head = binary.AppendVarint(head[:0], int64(e.known))
		head = append(head, e.table)
		head = binary.AppendUvarint(head, uint64(len(e.rec)))
		w.Write(head) // the error stays with w until Flush
		w.Write(e.rec)
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("data: spill: %w", err)
	}
	s.runs = append(s.runs, path)
	clear(s.entries) // or they would hold the old blocks
	s.entries, s.block, s.size = s.entries[:0], nil, 0
	return nil
}

// settle spills the last run if there are others, and frees the memory.
func (s *sorter) settle() error {
	if len(s.runs) == 0 {
		return nil
	}
	if err := s.spill(); err != nil {
		return err
	}
	s.entries, s.scratch = nil, nil
	return nil
}

// each calls f with every row in order, after settle. The record is valid during
// the call.
func (s *sorter) each(f func(e entry) error) error {
	if len(s.runs) == 0 {
		slices.SortFunc(s.entries, compareEntries)
		for _, e := range s.entries {
			if err := f(e); err != nil {
				return err
			}
		}
		return nil
	}
	var h runHeap
	defer func() {
		for _, r := range h {
			r.f.Close()
		}
	}()
	for _, path := range s.runs {
		f, err := os.Open(path)
		if err != nil {
			return fmt.Errorf("data: spill: %w", err)
		}
		r := &run{f: f, r: bufio.NewReaderSize(f, 256<<10)}
		h = append(h, r)
		if err := r.next(); err != nil {
			return err
		}
	}
	h = slices.DeleteFunc(h, func(r *run) bool { return r.done })
	heap.Init(&h)
	for len(h) > 0 {
		if err := f(h[0].head); err != nil {
			return err
		}
		if err := h[0].next(); err != nil {
			return err
		}
		if h[0].done {
			h[0].f.Close()
			heap.Pop(&h)
		} else {
			heap.Fix(&h, 0)
		}
	}
	return nil
}

// run reads a spilled run.
type run struct {
	f    *os.File
	r    *bufio.Reader
	head entry
	done bool
}

func (r *run) next() error {
	known, err := binary.ReadVarint(r.r)
	if errors.Is(err, io.EOF) {
		r.done = true
		return nil
	}
	table, err1 := r.r.ReadByte()
	n, err2 := binary.ReadUvarint(r.r)
	if err := cmp.Or(err, err1, err2); err != nil {
		return fmt.Errorf("data: spilled run: %w", err)
	}
	r.head.known, r.head.table = Micros(known), table
	r.head.rec = slices.Grow(r.head.rec[:0], int(n))[:n]
	if _, err := io.ReadFull(r.r, r.head.rec); err != nil {
		return fmt.Errorf("data: spilled run: %w", err)
	}
	return nil
}

type runHeap []*run

func (h runHeap) Len() int           { return len(h) }
func (h runHeap) Less(i, j int) bool { return compareEntries(h[i].head, h[j].head) < 0 }
func (h runHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *runHeap) Push(x any)        { *h = append(*h, x.(*run)) }
func (h *runHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	*h = old[:len(old)-1]
	return last
}
