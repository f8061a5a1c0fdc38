package table

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"strings"
)

// formatOf tells the format by the first bytes, and where they leave it open by
// the name.
func formatOf(path string, head []byte) (Format, error) {
	ext := strings.ToLower(filepath.Ext(path))
	for _, m := range []struct{ magic, what string }{
		{"\x1f\x8b", "it is packed with gzip: unpack it first"},
		{"\x28\xb5\x2f\xfd", "it is packed with zstd: unpack it first"},
		{"PK\x03\x04", "it is a zip archive or a spreadsheet: unpack it, or save the sheet as CSV"},
		{"ARROW1", "it is an Arrow file: write it as Parquet"},
		{"\xff\xfe", "it is UTF-16: save it as UTF-8"},
		{"\xfe\xff", "it is UTF-16: save it as UTF-8"},
	} {
		if bytes.HasPrefix(head, []byte(m.magic)) {
			return 0, errors.New(m.what)
		}
	}
	switch {
	case bytes.HasPrefix(head, []byte("PAR1")):
		return Parquet, nil
	case ext == ".parquet" || ext == ".pq":
		return 0, errors.New("not a Parquet file: it does not begin with PAR1")
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
