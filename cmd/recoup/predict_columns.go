package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"recoup/data"
	"recoup/models/lightgbm"
)

// columnFile is what columns.json says of a feature: a text becomes the position of it in
// Levels; one that is none of them is a missing value.
type columnFile struct {
	Name    string `json:"name"`
	Kind    string `json:"kind"` // number, code (a category as a whole number) or category (a text with levels)
	Levels  []any  `json:"levels"`
	Ordered *bool  `json:"ordered"` // of a category: split as a number
}

// findColumns reads the file given, or the columns.json beside the model, where there is
// one: else nil. It must fit the model.
func findColumns(given, model string, m *lightgbm.Model) ([]columnFile, error) {
	path := given
	if path == "" {
		path = filepath.Join(filepath.Dir(model), "columns.json")
	}
	b, err := os.ReadFile(path)
	if given == "" && errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	columns, err := parseColumns(b)
	if err == nil {
		err = checkColumns(columns, m)
	}
	if err != nil {
		if given == "" {
			err = fmt.Errorf("%w (it lies beside the model; --columns C names another)", err)
		}
		return nil, data.Faultf(data.ErrContract, "predict: %s: %w", path, err)
	}
	return columns, nil
}

func parseColumns(b []byte) ([]columnFile, error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	d.DisallowUnknownFields()
	var columns []columnFile
	if err := d.Decode(&columns); err != nil {
		return nil, fmt.Errorf("want a list of {name, kind, levels, ordered}: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("more after its list")
	}
	return columns, nil
}

// checkColumns refuses the columns of another model.
func checkColumns(columns []columnFile, m *lightgbm.Model) error {
	if len(columns) != len(m.Names) {
		return fmt.Errorf("%d columns, the model has %d features", len(columns), len(m.Names))
	}
	var texts [][]string
	for i, c := range columns {
		if underscored(c.Name) != underscored(m.Names[i]) {
			return fmt.Errorf("column %d is %q, the model's feature %d is %q: the order must be the model's", i+1, c.Name, i+1, m.Names[i])
		}
		levels, err := c.levels()
		if err != nil {
			return fmt.Errorf("column %q: %w", c.Name, err)
		}
		asNumber := c.Kind == "number" || c.Kind == "category" && c.Ordered != nil && *c.Ordered
		switch kind := m.Kinds[i]; {
		case kind == lightgbm.Categorical && asNumber, kind == lightgbm.Numeric && c.Kind == "category" && !asNumber:
			return fmt.Errorf("column %q: a %s here, but %v to the model", c.Name, c.words(), kind)
		case c.Kind == "category":
			texts = append(texts, levels)
		}
	}
	return sameLevels(texts, m)
}

func (c columnFile) words() string {
	if c.Kind == "category" && c.Ordered != nil && *c.Ordered {
		return "ordered category"
	}
	return c.Kind
}

// levels are the texts of a category, in the order of their codes.
func (c columnFile) levels() ([]string, error) {
	switch {
	case c.Kind == "number" || c.Kind == "code":
		if c.Levels != nil || c.Ordered != nil {
			return nil, fmt.Errorf("a %s has no levels and no order", c.Kind)
		}
		return nil, nil
	case c.Kind != "category":
		return nil, fmt.Errorf("kind %q: number, code and category are known", c.Kind)
	case len(c.Levels) == 0:
		return nil, errors.New("a category without levels")
	}
	texts, err := levelTexts(c.Levels)
	if err != nil {
		return nil, err
	}
	seen := make(map[string]bool, len(texts))
	for _, s := range texts {
		if seen[s] {
			return nil, fmt.Errorf("level %q is there twice", s)
		}
		seen[s] = true
	}
	return texts, nil
}

// levelTexts are levels as a CSV file holds them.
func levelTexts(levels []any) ([]string, error) {
	texts := make([]string, len(levels))
	for i, v := range levels {
		switch v := v.(type) {
		case string:
			texts[i] = v
		case json.Number:
			texts[i] = v.String()
		case bool:
			texts[i] = map[bool]string{true: "True", false: "False"}[v] // as Python writes it
		default:
			return nil, fmt.Errorf("level %d is %q: want a text, a number, true or false", i+1, fmt.Sprint(v))
		}
	}
	return texts, nil
}

// sameLevels compares the levels with those that Python wrote in the model, where it did.
func sameLevels(texts [][]string, m *lightgbm.Model) error {
	if len(m.PandasLevels) == 0 {
		return nil
	}
	if len(texts) != len(m.PandasLevels) {
		return fmt.Errorf("%d categories, but the model's pandas_categorical lists the levels of %d", len(texts), len(m.PandasLevels))
	}
	for i, list := range m.PandasLevels {
		want, err := levelTexts(list)
		if err != nil {
			return err
		}
		if !slices.Equal(texts[i], want) {
			return fmt.Errorf("the levels of category %d are not those of the model's pandas_categorical", i+1)
		}
	}
	return nil
}

// pairLevels gives a model without a columns.json its levels, where there is no doubt
// which list is of which feature.
func pairLevels(m *lightgbm.Model) ([]columnFile, error) {
	columns, lists := make([]columnFile, len(m.Names)), m.PandasLevels
	for i, name := range m.Names {
		columns[i] = columnFile{Name: name, Kind: "number"}
		if m.Kinds[i] != lightgbm.Categorical {
			continue
		}
		columns[i].Kind = "code"
		if len(m.PandasLevels) == 0 {
			continue
		}
		if len(lists) == 0 || m.TopCategory(i) >= int64(len(lists[0])) {
			return nil, doubt(m)
		}
		columns[i].Kind, columns[i].Levels = "category", lists[0]
		lists = lists[1:]
	}
	if len(lists) > 0 {
		return nil, doubt(m)
	}
	return columns, nil
}

func doubt(m *lightgbm.Model) error {
	return data.Faultf(data.ErrUsage, "predict: the model has the levels of %d text columns, but does not say which columns they are: give --columns C, a columns.json as recoup train-lightgbm writes it, one {\"name\", \"kind\", \"levels\", \"ordered\"} for each feature in order", len(m.PandasLevels))
}

// underscored is a name as LightGBM keeps it.
func underscored(name string) string { return strings.ReplaceAll(name, " ", "_") }
