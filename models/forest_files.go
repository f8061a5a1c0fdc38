package models

import (
	"bytes"
	"encoding/json"
	"fmt"

	"recoup/data"
)

// The files of a LightGBM model in the registry folder, beside its JSON: the text as
// LightGBM wrote it, and its columns in the form that recoup predict --columns reads.
const (
	fileAttemptText    = "attempt.txt"
	fileAttemptColumns = "columns.json"
	fileCureText       = "cure.txt"
	fileCureColumns    = "cure.columns.json"
)

// ColumnOf is one entry of a columns.json: a feature in the model's order, and how a
// text becomes its code, the position in Levels. An unknown text is a missing value.
type ColumnOf struct {
	Name    string   `json:"name"`
	Kind    string   `json:"kind"` // number or category
	Levels  []string `json:"levels,omitempty"`
	Ordered *bool    `json:"ordered,omitempty"` // of a category: false
}

// ColumnsJSON is the columns.json of some inputs, one column a line.
func ColumnsJSON(inputs []Input) ([]byte, error) {
	var w bytes.Buffer
	w.WriteString("[\n")
	unordered := false
	for i, in := range inputs {
		c := ColumnOf{Name: in.Name, Kind: "number"}
		if in.Category() {
			c.Kind, c.Levels, c.Ordered = "category", in.Levels, &unordered
		}
		line, err := json.Marshal(c)
		if err != nil {
			return nil, fmt.Errorf("models: columns: %w", err)
		}
		w.WriteString("  ")
		w.Write(line)
		if i < len(inputs)-1 {
			w.WriteByte(',')
		}
		w.WriteByte('\n')
	}
	w.WriteString("]\n")
	return w.Bytes(), nil
}

// textFiles are the files that a scorer has beside its JSON.
func (s *Scorer) textFiles(text, columns string) ([]folderFile, error) {
	if s == nil || s.Forest == nil {
		return nil, nil
	}
	js, err := ColumnsJSON(s.Forest.Inputs)
	if err != nil {
		return nil, err
	}
	return []folderFile{{text, s.Forest.Text}, {columns, js}}, nil
}

// takeTexts gives the forests of a bundle their texts, out of the files that are not JSON
// of the bundle, and refuses what is missing, too much or says something else.
func (b *Bundle) takeTexts(have map[string][]byte) error {
	for _, part := range []struct {
		s             *Scorer
		text, columns string
	}{{b.Attempt, fileAttemptText, fileAttemptColumns}, {b.Cure, fileCureText, fileCureColumns}} {
		text, columns := have[part.text], have[part.columns]
		if part.s == nil || part.s.Forest == nil {
			if text != nil || columns != nil {
				return data.Faultf(data.ErrContract, "%s or %s: the model is no LightGBM model", part.text, part.columns)
			}
			continue
		}
		if text == nil {
			return data.Faultf(data.ErrContract, "no %s: it is the LightGBM model itself", part.text)
		}
		if err := part.s.Forest.Attach(text); err != nil {
			return fmt.Errorf("%s: %w", part.text, err)
		}
		want, err := ColumnsJSON(part.s.Forest.Inputs)
		if err != nil {
			return err
		}
		if !bytes.Equal(want, columns) {
			return data.Faultf(data.ErrContract, "%s: other columns than the model's", part.columns)
		}
	}
	return nil
}
