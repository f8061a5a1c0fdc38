package data

import (
	"bytes"
	"hash/maphash"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
)

// frameDict numbers the texts of a row group in the order of their first use.
type frameDict struct {
	texts []byte   // one after the other
	ends  []uint32 // ends[i] is where text i begins, ends[i+1] where it ends
	slots []int32  // a hash table: number + 1, 0 = empty; its size is a power of two
	seed  maphash.Seed
	local []int32 // number by code of the frame at hand; -1 = not asked yet

	// The page in the making.
	page        int32
	met         []int32 // the latest page that used a text
	least, most int32   // by their bytes; -1 = none
}

func newFrameDict() *frameDict { return &frameDict{seed: maphash.MakeSeed()} }

func (d *frameDict) reset() {
	d.texts, d.ends, d.met = d.texts[:0], append(d.ends[:0], 0), d.met[:0]
	d.page, d.least, d.most = 1, -1, -1
	if d.slots == nil {
		d.slots = make([]int32, 64)
	}
	clear(d.slots)
}

func (d *frameDict) len() int { return len(d.ends) - 1 }

func (d *frameDict) text(i int32) []byte { return d.texts[d.ends[i]:d.ends[i+1]] }

// translate makes ready for a frame whose texts have so many codes.
func (d *frameDict) translate(codes int) {
	d.local = resize(d.local, codes)
	for i := range d.local {
		d.local[i] = -1
	}
}

// number is the number of a frame's text, which from now on is in the page.
func (d *frameDict) number(code uint32, texts []string) int32 {
	n := d.local[code]
	if n < 0 {
		n = d.find(texts[code])
		d.local[code] = n
	}
	if d.met[n] != d.page {
		d.met[n] = d.page
		t := d.text(n)
		if d.least < 0 || bytes.Compare(t, d.text(d.least)) < 0 {
			d.least = n
		}
		if d.most < 0 || bytes.Compare(t, d.text(d.most)) > 0 {
			d.most = n
		}
	}
	return n
}

// find is the number of a text; a new one gets the next.
func (d *frameDict) find(s string) int32 {
	if 2*d.len() >= len(d.slots) {
		d.grow()
	}
	i := d.slot(s)
	if d.slots[i] == 0 {
		d.texts = append(d.texts, s...)
		d.ends = append(d.ends, uint32(len(d.texts)))
		d.met = append(d.met, 0)
		d.slots[i] = int32(d.len())
	}
	return d.slots[i] - 1
}

// slot is where a text stands, or the empty slot for it. The seed differs from
// run to run, the numbers do not.
func (d *frameDict) slot(s string) int {
	mask := uint64(len(d.slots) - 1)
	for i := maphash.String(d.seed, s) & mask; ; i = (i + 1) & mask {
		if n := d.slots[i]; n == 0 || string(d.text(n-1)) == s {
			return int(i)
		}
	}
}

func (d *frameDict) grow() {
	d.slots = make([]int32, 2*len(d.slots))
	for i := range int32(d.len()) {
		d.slots[d.slot(string(d.text(i)))] = i + 1
	}
}

// bounds ends a page: its first and last text in the order of their bytes, null
// where it has none.
func (d *frameDict) bounds() (least, most parquet.Value) {
	if d.least >= 0 {
		least = parquet.ByteArrayValue(d.text(d.least))
		most = parquet.ByteArrayValue(d.text(d.most))
	}
	d.page, d.least, d.most = d.page+1, -1, -1
	return least, most
}

// values are the texts by number.
func (d *frameDict) values() encoding.Values { return encoding.ByteArrayValues(d.texts, d.ends) }
