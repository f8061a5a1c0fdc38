package report

import (
	"bytes"
	"fmt"
	"strings"
)

// ReliabilitySVG is the attempt model's reliability curve as a file of its own,
// in the page's colours, for a README or a wiki.
func ReliabilitySVG(js []byte) ([]byte, error) {
	r, err := Decode(js)
	if err != nil {
		return nil, err
	}
	_, rest, _ := strings.Cut(pageHTML, "<style>")
	style, _, found := strings.Cut(rest, "</style>")
	if !found {
		return nil, fmt.Errorf("report: picture: the page has no style")
	}
	var b bytes.Buffer
	tag, body, found := strings.Cut(string(reliability(r.Attempt.All).SVG), ">")
	if !found {
		return nil, fmt.Errorf("report: picture: no curve was drawn")
	}
	fmt.Fprintf(&b, "%s xmlns=%q>\n<style>%s</style>%s\n", tag, "http://www.w3.org/2000/svg", style, body)
	return b.Bytes(), nil
}
