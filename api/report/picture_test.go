package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"testing"
)

func TestReliabilitySVG(t *testing.T) {
	js, err := Encode(strong())
	if err != nil {
		t.Fatal(err)
	}
	svg, err := ReliabilitySVG(js)
	if err != nil {
		t.Fatal(err)
	}
	dec, dots := xml.NewDecoder(bytes.NewReader(svg)), 0
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("not XML: %v", err)
		}
		if e, ok := tok.(xml.StartElement); ok && e.Name.Local == "circle" {
			dots++
		}
	}
	if want := len(strong().Attempt.All.Bins) + len(strong().Attempt.All.RawBins); dots != want {
		t.Errorf("%d dots, want one a bin: %d", dots, want)
	}
	if !bytes.Contains(svg, []byte(`xmlns="http://www.w3.org/2000/svg"`)) {
		t.Error("no namespace: browsers do not draw it")
	}
	if _, err := ReliabilitySVG([]byte("{")); err == nil {
		t.Error("half a report was drawn")
	}
}
