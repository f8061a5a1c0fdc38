package table

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// strangers are kinds of files that are not read, by their first bytes, and the
// way out. Where the magic could begin a text as well, also must follow.
var strangers = [...]struct {
	magic, also, what string
}{
	{"PK\x03\x04", "", "it is a zip archive or a spreadsheet: unpack it, or save the sheet as CSV"},
	{"BZh", "1AY&SY", "it is packed with bzip2: unpack it first, or pack it with gzip or zstd"},
	{"\xfd7zXZ\x00", "", "it is packed with xz: unpack it first, or pack it with gzip or zstd"},
	{"\x04\x22\x4d\x18", "", "it is packed with lz4: unpack it first, or pack it with gzip or zstd"},
	{"\xff\x06\x00\x00sNaPpY", "", "it is packed with snappy: unpack it first, or pack it with gzip or zstd"},
	{"\x1f\x9d", "", "it is packed with compress: unpack it first, or pack it with gzip or zstd"},
	{"7z\xbc\xaf\x27\x1c", "", "it is a 7z archive: unpack it first"},
	{"FEA1", "\x00", "it is a Feather file of version 1, which the makers of Feather gave up: write it as version 2, or as Parquet"},
	{"PARE", "\x00", "it is an encrypted Parquet file: write it without encryption"},
	{"ORC", "\x00", "it is an ORC file: write it as Parquet"},
	{"Obj\x01", "", "it is an Avro file: write it as Parquet"},
	{"SQLite format 3\x00", "", "it is an SQLite database: export the table as CSV"},
	{"\xd0\xcf\x11\xe0", "", "it is an old spreadsheet: save the sheet as CSV"},
	{"\xff\xfe", "", "it is UTF-16: save it as UTF-8"},
	{"\xfe\xff", "", "it is UTF-16: save it as UTF-8"},
}

// formatOf tells the format by the first bytes, unpacked, and where they leave
// it open by the name.
func formatOf(path string, p packing, head []byte) (Format, error) {
	ext := strings.ToLower(filepath.Ext(plainName(path)))
	for _, m := range strangers {
		if bytes.HasPrefix(head, []byte(m.magic)) && bytes.Contains(head, []byte(m.also)) {
			return 0, errors.New(m.what)
		}
	}
	if len(head) > 262 && string(head[257:262]) == "ustar" {
		return 0, errors.New("it is a tar archive: unpack it first")
	}
	binary := Format(0)
	switch {
	case bytes.HasPrefix(head, []byte("PAR1")) && (len(head) == 4 || strings.IndexByte(",;\t|\r\n", head[4]) < 0): // or a column of that name
		binary = Parquet
	case bytes.HasPrefix(head, []byte(arrowMagic+"\x00\x00")), arrowStream(head):
		binary = Arrow
	case ext == ".arrow" || ext == ".arrows" || ext == ".feather" || ext == ".ipc":
		return 0, errors.New("not an Arrow file: it begins neither with ARROW1 nor with a schema")
	case ext == ".parquet" || ext == ".pq":
		return 0, errors.New("not a Parquet file: it does not begin with PAR1")
	}
	if binary != 0 {
		if p != unpacked {
			return 0, fmt.Errorf("it is a %s file packed with %s: unpack it first", binary, p)
		}
		return binary, nil
	}
	if p != unpacked && packingOf(head) != unpacked {
		return 0, fmt.Errorf("it is packed twice, with %s in %s: unpack it once", packingOf(head), p)
	}
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte(bom)), " \t\r\n")
	switch {
	case ext == ".jsonl" || ext == ".ndjson":
		return JSONL, nil
	case ext == ".csv" || ext == ".tsv":
		return CSV, nil
	case ext == ".json" && !bytes.HasPrefix(text, []byte("{")):
		return 0, errors.New("not JSONL: one object a line is expected")
	case ext == ".json" || bytes.HasPrefix(text, []byte("{")):
		return JSONL, nil
	}
	return CSV, nil
}

// arrowStream tells a stream by its first message: a mark (since Arrow 0.15),
// the length of the head, and a head.
func arrowStream(head []byte) bool {
	if len(head) < 16 {
		return false
	}
	if bytes.HasPrefix(head, []byte("\xff\xff\xff\xff")) {
		return true
	}
	return head[2] == 0 && head[3] == 0 && bytes.Equal(head[5:8], []byte{0, 0, 0}) && head[4] > 0
}

// bom is the UTF-8 byte order mark.
const bom = "\xef\xbb\xbf"

// sniffDelimiter picks the separator under which most of the first records have
// as many fields as the header; among equals, the one with most fields; and a
// comma where none separates anything.
func sniffDelimiter(head []byte) byte {
	best, bestShare, bestFields := byte(','), 0.0, 1
	for _, d := range []byte(",;\t|") {
		r := csvReader{buffer: buffer{src: bytes.NewReader(head)}, delim: d}
		header, same, n := 0, 0, 0
		for n < 100 {
			rec, err := r.record()
			if err == io.EOF {
				break
			}
			if _, bad := err.(*badRecord); err != nil && !bad { // the sample may end inside quotes
				break
			}
			if n == 0 {
				header = len(rec.fields)
			}
			if err == nil && len(rec.fields) == header {
				same++
			}
			n++
		}
		if header < 2 {
			continue
		}
		share := float64(same) / float64(n)
		if bestFields == 1 || share > bestShare || share == bestShare && header > bestFields {
			best, bestShare, bestFields = d, share, header
		}
	}
	return best
}
