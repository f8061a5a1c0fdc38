package table

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// charset is a single-byte encoding that leaves ASCII alone, so that records
// are cut before they are decoded. nil is UTF-8.
type charset struct{ m *charmap.Charmap }

func charsetOf(name string) (*charset, error) {
	switch strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(name)) {
	case "", "utf8", "ascii", "usascii":
		return nil, nil
	case "latin1", "iso88591", "l1":
		return &charset{charmap.ISO8859_1}, nil
	case "latin2", "iso88592":
		return &charset{charmap.ISO8859_2}, nil
	case "latin9", "iso885915":
		return &charset{charmap.ISO8859_15}, nil
	case "windows1250", "cp1250":
		return &charset{charmap.Windows1250}, nil
	case "windows1251", "cp1251":
		return &charset{charmap.Windows1251}, nil
	case "windows1252", "cp1252":
		return &charset{charmap.Windows1252}, nil
	case "koi8r":
		return &charset{charmap.KOI8R}, nil
	}
	return nil, fmt.Errorf("encoding %q is not known: expected utf-8, latin-1, latin-2, latin-9, windows-1250 to 1252 or koi8-r; or convert the file to UTF-8", name)
}

// decode appends b as UTF-8 to dst; false where a byte means nothing.
func (c *charset) decode(dst, b []byte) ([]byte, bool) {
	for _, x := range b {
		r := c.m.DecodeByte(x)
		if r == utf8.RuneError {
			return dst, false
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst, true
}

func ascii(b []byte) bool {
	for _, x := range b {
		if x >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
