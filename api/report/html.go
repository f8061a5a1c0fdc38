package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"sync"
)

//go:embed page.html
var pageHTML string

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Parse(pageHTML))
})

// HTML renders the JSON of a report as one file that needs nothing else: no
// script, no font, no picture from elsewhere.
func HTML(js []byte) ([]byte, error) {
	r, err := Decode(js)
	if err != nil {
		return nil, err
	}
	return layout(r).html()
}

// html prints a page.
func (p page) html() ([]byte, error) {
	var b bytes.Buffer
	if err := pageTemplate().Execute(&b, p); err != nil {
		return nil, fmt.Errorf("report: html: %w", err)
	}
	return b.Bytes(), nil
}
