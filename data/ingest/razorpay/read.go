package razorpay

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"recoup/data"
	"recoup/data/table"
)

const (
	chunkBytes = 1 << 20
	maxLine    = 16 << 20 // far beyond any webhook
	maxJSON    = 64 << 20 // of a file that is one JSON value
)

// chunk is a part of a file to be read by one goroutine.
type chunk struct {
	file  int
	line  int    // of its first
	text  []byte // whole lines
	items []item // or events that stand over several lines
	done  chan read
}

type item struct {
	line int
	text []byte
}

// read is what became of a chunk.
type read struct {
	records []byte
	n       int // records
	text    []byte
}

// errStopped tells the reader of files that nobody listens any more.
var errStopped = errors.New("stopped")

// readFiles parses all files on all processors; the records come to use in the
// order of the files.
func readFiles(ctx context.Context, files []string, key []byte, use func(file int, r read) error) error {
	if _, err := newIdentity(key); err != nil {
		return err
	}
	outer := ctx
	ctx, cancel := context.WithCancel(ctx)
	workers := runtime.GOMAXPROCS(0)
	work := make(chan chunk, workers)
	queue := make(chan chunk, 2*workers)
	spare := make(chan []byte, 2*workers+2)
	for range workers {
		who, _ := newIdentity(key)
		go func() {
			p := &parser{who: who}
			for c := range work {
				c.done <- p.chunk(c)
			}
		}()
	}
	failed := make(chan error, 1)
	go func() {
		err := chunks(files, spare, func(c chunk) error {
			c.done = make(chan read, 1)
			for _, to := range []chan chunk{queue, work} {
				select {
				case to <- c:
				case <-ctx.Done():
					return errStopped
				}
			}
			return nil
		})
		close(work)
		close(queue)
		failed <- err
	}()
	var err error
	for c := range queue {
		if err != nil {
			continue // until the reader has noticed
		}
		select {
		case r := <-c.done:
			err = use(c.file, r)
			select {
			case spare <- r.text[:0]:
			default:
			}
		case <-ctx.Done():
			err = ctx.Err()
		}
		if err != nil {
			cancel()
		}
	}
	cancel()
	if ferr := <-failed; err == nil && ferr != nil && !errors.Is(ferr, errStopped) {
		err = ferr
	}
	return cmp.Or(err, outer.Err())
}

// chunks cuts the files.
func chunks(files []string, spare chan []byte, emit func(chunk) error) error {
	for i, path := range files {
		if err := fileChunks(i, path, spare, emit); err != nil {
			if errors.Is(err, errStopped) {
				return err
			}
			return fmt.Errorf("razorpay: %s: %w", path, err)
		}
	}
	return nil
}

func fileChunks(i int, path string, spare chan []byte, emit func(chunk) error) error {
	if st, err := os.Stat(path); err == nil && st.IsDir() {
		return data.Faultf(data.ErrUsage, "a folder: name its files")
	}
	f, plain, err := table.OpenText(path)
	if err != nil {
		var at *os.PathError
		if errors.As(err, &at) {
			err = at.Err
		}
		return err
	}
	defer f.Close()
	src := io.Reader(f)
	if strings.EqualFold(filepath.Ext(plain), ".json") {
		whole, err := io.ReadAll(io.LimitReader(src, maxJSON+1))
		if err != nil {
			return data.Faultf(data.ErrContract, "%w", err)
		}
		if items := itemsOf(whole); items != nil {
			return emit(chunk{file: i, items: items})
		}
		src = io.MultiReader(bytes.NewReader(whole), src)
	}
	return lineChunks(i, src, spare, emit)
}

// lineChunks cuts a text at line ends.
func lineChunks(file int, src io.Reader, spare chan []byte, emit func(chunk) error) error {
	line := 1
	var rest []byte
	for eof := false; !eof; {
		var buf []byte
		select {
		case buf = <-spare:
		default:
		}
		buf = append(buf[:0], rest...)
		for size := chunkBytes; ; size *= 2 {
			from := len(buf)
			if cap(buf) < size {
				buf = append(make([]byte, 0, size), buf...)
			}
			n, err := io.ReadFull(src, buf[from:max(from, size)])
			buf = buf[:from+n]
			if err == io.EOF || err == io.ErrUnexpectedEOF {
				eof = true
				break
			} else if err != nil {
				return data.Faultf(data.ErrContract, "%w", err)
			}
			if bytes.IndexByte(buf[len(rest):], '\n') >= 0 {
				break
			}
			if size > maxLine {
				return data.Faultf(data.ErrContract, "line %d is longer than %d MiB: is this JSONL, one event a line?", line, maxLine>>20)
			}
		}
		text := buf
		rest = nil
		if !eof {
			k := bytes.LastIndexByte(buf, '\n') + 1
			text, rest = buf[:k], append([]byte(nil), buf[k:]...)
		}
		if line == 1 {
			text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
		}
		next := line + bytes.Count(text, []byte("\n"))
		if len(text) > 0 {
			if err := emit(chunk{file: file, line: line, text: text}); err != nil {
				return err
			}
		}
		line = next
	}
	return nil
}

// itemsOf is the events of a file that is one JSON value: an object, or a list
// of objects; nil where it is not.
func itemsOf(whole []byte) []item {
	s := &scanner{}
	s.start(bytes.TrimPrefix(whole, []byte("\xef\xbb\xbf")))
	if s.blanks(); s.i == len(s.b) {
		return nil
	}
	var out []item
	line, counted := 1, 0
	take := func() bool {
		s.blanks()
		start := s.i
		line += bytes.Count(s.b[counted:start], []byte("\n"))
		counted = start
		if s.value(nil, 1) != nil {
			return false
		}
		out = append(out, item{line, s.b[start:s.i]})
		return true
	}
	if s.b[s.i] != '[' {
		if !take() || s.end() != nil {
			return nil
		}
		return out
	}
	s.i++
	for more := true; more; {
		if !take() {
			return nil
		}
		var fault *data.Fault
		if more, fault = s.next(']'); fault != nil {
			return nil
		}
	}
	if s.end() != nil {
		return nil
	}
	return out
}

// chunk reads every line of a chunk.
func (p *parser) chunk(c chunk) read {
	out := read{text: c.text}
	one := func(line int, text []byte) {
		if len(bytes.TrimLeft(text, " \t\r")) == 0 {
			return
		}
		r := record{file: c.file, line: line}
		e, faults := p.line(text)
		if r.event = e; len(faults) > 0 {
			r.fault = faults[0]
		}
		out.records = r.append(out.records)
		out.n++
	}
	for _, it := range c.items {
		one(it.line, it.text)
	}
	for line, rest := c.line, c.text; len(rest) > 0; line++ {
		var text []byte
		text, rest, _ = bytes.Cut(rest, []byte("\n"))
		one(line, text)
	}
	return out
}
