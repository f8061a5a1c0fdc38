package report

import (
	"bytes"
	"encoding/json"
	"fmt"

	"recoup/data"
)

// EncodeBracket is the bracket as JSON, the form that its pages are rendered from.
func EncodeBracket(b *Bracket) ([]byte, error) {
	b.Version = Version
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetIndent("", " ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(b); err != nil {
		return nil, fmt.Errorf("report: encode the bracket: %w", err)
	}
	return out.Bytes(), nil
}

// DecodeBracket reads what EncodeBracket wrote; unknown fields and another version
// are refused.
func DecodeBracket(js []byte) (*Bracket, error) {
	dec := json.NewDecoder(bytes.NewReader(js))
	dec.DisallowUnknownFields()
	var b Bracket
	if err := dec.Decode(&b); err != nil {
		return nil, data.Faultf(data.ErrContract, "report: not a policy bracket of this version of recoup: %w", err)
	}
	if b.Version != Version {
		return nil, data.Faultf(data.ErrContract, "report: policy bracket of version %d: expected %d", b.Version, Version)
	}
	return &b, nil
}

// BracketHTML renders the JSON of a bracket as one file that needs nothing else.
func BracketHTML(js []byte) ([]byte, error) {
	b, err := DecodeBracket(js)
	if err != nil {
		return nil, err
	}
	return layoutBracket(b).html()
}

// BracketMarkdown renders it as text.
func BracketMarkdown(js []byte) ([]byte, error) {
	b, err := DecodeBracket(js)
	if err != nil {
		return nil, err
	}
	return layoutBracket(b).markdown(), nil
}

// Line finds a policy of the bracket; nil = it is not there.
func (b *Bracket) Line(policy string) *Line {
	for i := range b.Lines {
		if b.Lines[i].Policy == policy {
			return &b.Lines[i]
		}
	}
	return nil
}

// Named is an estimator of a line; unknown where it was not computed.
func (l *Line) Named(name string) Estimate {
	for _, e := range l.Estimators {
		if e.Name == name {
			return e.Value
		}
	}
	return Unknown("not computed")
}
