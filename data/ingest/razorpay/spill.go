package razorpay

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"recoup/data"
)

// The events of a run wait in a file until all have been seen; in memory each is
// a few numbers. The file has no name, so that none is left when the process
// dies.

// texts and numbers are the fields of an event in the order of the file.
func (e *event) texts() [21]*string {
	return [21]*string{&e.Type, &e.Hash, &e.Merchant, &e.Customer, &e.Payment, &e.Order, &e.Invoice, &e.Subscription, &e.Token,
		&e.Currency, &e.Card, &e.Bank, &e.Network, &e.ErrorCode, &e.Source, &e.Step, &e.Reference, &e.Dispute, &e.Downtime, &e.PSP, &e.Kept}
}

func (e *event) numbers() [26]int64 {
	return [26]int64{int64(e.OccurredAt), int64(e.KnownAt), bit(e.Assumed), int64(e.Body), int64(e.Seen), int64(e.PresentedAt),
		int64(e.Rail), int64(e.Initiator), int64(e.Amount), int64(e.Reason), bit(e.PaidOnce), int64(e.SubscriptionStatus),
		int64(e.CycleStart), int64(e.CycleEnd), int64(e.MandateStatus), int64(e.MaxAmount), int64(e.CreatedAt), int64(e.ValidUntil),
		int64(e.NoticeStatus), int64(e.DebitAt), int64(e.Severity), int64(e.DowntimeStatus), int64(e.Begin), int64(e.End), int64(e.Aside), bit(e.Undated)}
}

func (e *event) setNumbers(n *[26]int64) {
	e.OccurredAt, e.KnownAt, e.Assumed, e.Body = data.Micros(n[0]), data.Micros(n[1]), n[2] > 0, uint32(n[3])
	e.Seen, e.PresentedAt, e.Rail, e.Initiator = seen(n[4]), data.Micros(n[5]), data.Rail(n[6]), data.Initiator(n[7])
	e.Amount, e.Reason, e.PaidOnce = data.Paise(n[8]), data.Reason(n[9]), n[10] > 0
	e.SubscriptionStatus, e.CycleStart, e.CycleEnd = data.SubscriptionStatus(n[11]), data.Micros(n[12]), data.Micros(n[13])
	e.MandateStatus, e.MaxAmount = data.MandateStatus(n[14]), data.Paise(n[15])
	e.CreatedAt, e.ValidUntil = data.Micros(n[16]), data.Micros(n[17])
	e.NoticeStatus, e.DebitAt, e.Severity = data.NoticeStatus(n[18]), data.Micros(n[19]), data.Severity(n[20])
	e.DowntimeStatus, e.Begin, e.End, e.Aside = data.DowntimeStatus(n[21]), data.Micros(n[22]), data.Micros(n[23]), aside(n[24])
	e.Undated = n[25] > 0
}

func bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// record is what a line became: an event, or a fault.
type record struct {
	line  int
	file  int
	fault data.Fault // with a Message: the line is a reject, and event is empty
	event
}

// append puts a record behind b, its length first.
func (r *record) append(b []byte) []byte {
	start := len(b)
	b = append(b, 0, 0, 0, 0)
	b = binary.AppendUvarint(b, uint64(r.file))
	b = binary.AppendUvarint(b, uint64(r.line))
	if r.fault.Message != "" {
		b = append(b, 1)
		for _, s := range []string{r.fault.Path, r.fault.Value, r.fault.Message} {
			b = append(binary.AppendUvarint(b, uint64(len(s))), s...)
		}
	} else {
		b = append(b, 0)
		b = r.event.append(b)
	}
	binary.LittleEndian.PutUint32(b[start:], uint32(len(b)-start-4))
	return b
}

func (e *event) append(b []byte) []byte {
	mask, at := uint64(0), len(b)
	b = append(b, 0, 0, 0, 0, 0, 0, 0, 0)
	texts, numbers := e.texts(), e.numbers()
	for i, t := range texts {
		if *t != "" {
			mask |= 1 << i
			b = append(binary.AppendUvarint(b, uint64(len(*t))), *t...)
		}
	}
	for i, n := range numbers {
		if n != 0 {
			mask |= 1 << (len(texts) + i)
			b = binary.AppendUvarint(b, uint64(n)) // none is negative
		}
	}
	binary.LittleEndian.PutUint64(b[at:], mask)
	return b
}

// cursor takes a record apart.
type cursor struct {
	s   string
	bad bool
}

func (c *cursor) uvarint() uint64 {
	for i, n, shift := 0, uint64(0), 0; i < len(c.s) && i < 10; i, shift = i+1, shift+7 {
		n |= uint64(c.s[i]&0x7f) << shift
		if c.s[i] < 0x80 {
			c.s = c.s[i+1:]
			return n
		}
	}
	c.bad, c.s = true, ""
	return 0
}

func (c *cursor) text(n uint64) string {
	if n > uint64(len(c.s)) {
		c.bad, c.s = true, ""
		return ""
	}
	t := c.s[:n]
	c.s = c.s[n:]
	return t
}

// read takes a record apart; its texts are parts of s.
func (r *record) read(s string) error {
	*r = record{}
	c := cursor{s: s}
	r.file, r.line = int(c.uvarint()), int(c.uvarint())
	if c.text(1) == "\x01" {
		for _, t := range []*string{&r.fault.Path, &r.fault.Value, &r.fault.Message} {
			*t = c.text(c.uvarint())
		}
	} else {
		head := c.text(8)
		if len(head) < 8 {
			return errSpill
		}
		mask := binary.LittleEndian.Uint64([]byte(head))
		texts := r.texts()
		for i, t := range texts {
			if mask&(1<<i) != 0 {
				*t = c.text(c.uvarint())
			}
		}
		var numbers [26]int64
		for i := range numbers {
			if mask&(1<<(len(texts)+i)) != 0 {
				numbers[i] = int64(c.uvarint())
			}
		}
		r.setNumbers(&numbers)
	}
	if c.bad {
		return errSpill
	}
	return nil
}

var errSpill = errors.New("razorpay: spilled events cannot be read back")

// spill is the file of records.
type spill struct {
	f *os.File
	w *bufio.Writer
	n int // records
}

func newSpill(dir string) (*spill, error) {
	stale, _ := filepath.Glob(filepath.Join(dir, ".webhooks-*"))
	for _, path := range stale { // of a process killed before it took the name away
		os.Remove(path)
	}
	f, err := os.CreateTemp(dir, ".webhooks-*")
	if err != nil {
		return nil, fmt.Errorf("razorpay: spill: %w", err)
	}
	if err := os.Remove(f.Name()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		f.Close()
		return nil, fmt.Errorf("razorpay: spill: %w", err)
	}
	return &spill{f: f, w: bufio.NewWriterSize(f, 256<<10)}, nil
}

func (s *spill) close() { s.f.Close() }

// add appends n records, as one text.
func (s *spill) add(b []byte, n int) error {
	s.n += n
	if _, err := s.w.Write(b); err != nil {
		return fmt.Errorf("razorpay: spill: %w", err)
	}
	return nil
}

// each calls f with every record in its order and its place in the file. The
// record is reused; its texts may be kept.
func (s *spill) each(f func(i int, at int64, r *record) error) error {
	if err := s.w.Flush(); err != nil {
		return fmt.Errorf("razorpay: spill: %w", err)
	}
	if _, err := s.f.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("razorpay: spill: %w", err)
	}
	in := bufio.NewReaderSize(s.f, 256<<10)
	var head [4]byte
	var b []byte
	var r record
	at := int64(0)
	for i := range s.n {
		if _, err := io.ReadFull(in, head[:]); err != nil {
			return fmt.Errorf("razorpay: spill: %w", err)
		}
		n := int(binary.LittleEndian.Uint32(head[:]))
		if cap(b) < n {
			b = make([]byte, n+n/2)
		}
		if _, err := io.ReadFull(in, b[:n]); err != nil {
			return fmt.Errorf("razorpay: spill: %w", err)
		}
		if err := r.read(string(b[:n])); err != nil {
			return err
		}
		if err := f(i, at, &r); err != nil {
			return err
		}
		at += int64(4 + n)
	}
	return nil
}

// at reads the record at a place.
func (s *spill) at(at int64) (*record, error) {
	var head [4]byte
	if _, err := s.f.ReadAt(head[:], at); err != nil {
		return nil, fmt.Errorf("razorpay: spill: %w", err)
	}
	b := make([]byte, binary.LittleEndian.Uint32(head[:]))
	if _, err := s.f.ReadAt(b, at+4); err != nil {
		return nil, fmt.Errorf("razorpay: spill: %w", err)
	}
	r := &record{}
	return r, r.read(string(b))
}
