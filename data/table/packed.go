package table

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// packing is how the bytes of a text file are packed.
type packing uint8

const (
	unpacked packing = iota
	gzipped
	zstandard
)

func (p packing) String() string { return [...]string{"", "gzip", "zstd"}[p] }

// maxWindow is the most a zstd stream may look back; zstd itself refuses more
// unless told otherwise.
const maxWindow = 128 << 20

// packingOf tells by the first bytes, whatever the name says.
func packingOf(head []byte) packing {
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		return gzipped
	case bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")):
		return zstandard
	case len(head) >= 4 && head[0]&0xf0 == 0x50 && string(head[1:4]) == "\x2a\x4d\x18": // a frame to skip, before one of data
		return zstandard
	}
	return unpacked
}

// plainName is a path without the ending that says how the file is packed.
func plainName(path string) string {
	switch ext := filepath.Ext(path); strings.ToLower(ext) {
	case ".gz", ".gzip", ".zst", ".zstd":
		return strings.TrimSuffix(path, ext)
	}
	return path
}

// source opens a text file for one more reading, unpacked.
func (f *File) source() (io.ReadCloser, error) {
	file, err := f.reopen()
	if err != nil || f.packing == unpacked {
		return file, err
	}
	return f.packing.unpack(file, file), nil
}

// OpenText opens a text file that may be packed with gzip or zstd, whatever its
// name, and reads it unpacked. plain is the path without the ending of a packed
// file. Unlike Open it takes pipes: the file is read once.
func OpenText(path string) (text io.ReadCloser, plain string, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, "", fmt.Errorf("table: %w", err)
	}
	in := bufio.NewReaderSize(file, 256<<10)
	head, _ := in.Peek(4) // an error comes again when it is read
	p := packingOf(head)
	if p == unpacked {
		return struct {
			io.Reader
			io.Closer
		}{in, file}, path, nil
	}
	return p.unpack(in, file), plainName(path), nil
}

// unpack reads a packed stream; closing it closes file.
func (p packing) unpack(in io.Reader, file io.Closer) io.ReadCloser {
	return readAhead(file, func() (io.ReadCloser, error) {
		if p == gzipped {
			return gzip.NewReader(in)
		}
		r, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, err
		}
		return r.IOReadCloser(), nil
	}, func(err error) error {
		if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
			return fmt.Errorf("the %s stream ends too early: is the file cut off?", p)
		}
		return fmt.Errorf("the %s stream does not unpack: %w", p, err)
	})
}

// ahead reads on another goroutine, two blocks ahead, so that unpacking and
// parsing share the work.
type ahead struct {
	file    io.Closer
	filled  chan []byte
	empty   chan []byte
	stop    chan struct{}
	stopped chan struct{}
	failed  error // good once filled is closed
	block   []byte
	rest    []byte
}

// readAhead starts reading what open opens; explain words an error of it.
func readAhead(file io.Closer, open func() (io.ReadCloser, error), explain func(error) error) *ahead {
	const block = 256 << 10
	a := &ahead{file: file, filled: make(chan []byte, 2), empty: make(chan []byte, 2), stop: make(chan struct{}), stopped: make(chan struct{})}
	a.empty <- make([]byte, block)
	a.empty <- make([]byte, block)
	go func() {
		defer close(a.stopped)
		defer close(a.filled)
		if err := a.run(open); err != io.EOF {
			a.failed = explain(err)
		}
	}()
	return a
}

func (a *ahead) run(open func() (io.ReadCloser, error)) (err error) {
	defer func() {
		if fault := recover(); fault != nil { // of a library, on hostile bytes
			err = fmt.Errorf("%v", fault)
		}
	}()
	r, err := open()
	if err != nil {
		return fmt.Errorf("opening: %w", err)
	}
	defer r.Close()
	for {
		var b []byte
		select {
		case b = <-a.empty:
		case <-a.stop:
			return io.EOF
		}
		n, err := r.Read(b[:cap(b)])
		select {
		case a.filled <- b[:n]:
		case <-a.stop:
			return io.EOF
		}
		if err != nil {
			return err
		}
	}
}

func (a *ahead) Read(p []byte) (int, error) {
	for len(a.rest) == 0 {
		if a.block != nil {
			a.empty <- a.block
		}
		var ok bool
		if a.block, ok = <-a.filled; !ok {
			a.block = nil
			if a.failed != nil {
				return 0, a.failed
			}
			return 0, io.EOF
		}
		a.rest = a.block
	}
	n := copy(p, a.rest)
	a.rest = a.rest[n:]
	return n, nil
}

// Close ends the goroutine.
func (a *ahead) Close() error {
	close(a.stop)
	<-a.stopped
	return a.file.Close()
}
