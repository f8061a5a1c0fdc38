package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"recoup/data"
	"recoup/data/table"
)

// findTruths looks at the first rows of a text file for columns of numbers that hold true
// and false: they are 1 and 0, as in the files that have a type for them.
func (b *textBinding) findTruths(f *table.File) {
	if f.Format() != table.CSV && f.Format() != table.JSONL {
		return
	}
	var asText []data.Column
	for _, bf := range b.features {
		if bf.codes == nil {
			asText = append(asText, data.Column{Name: bf.column.Name, Kind: data.String})
		}
	}
	if len(asText) == 0 {
		return
	}
	truths := map[string]float64{}
	spell(truths, true, 1)
	spell(truths, false, 0)
	for frame, err := range f.FramesAs(asText...) {
		if err != nil {
			return // the reading of all rows says so
		}
		for i := range b.features {
			bf := &b.features[i]
			if bf.codes == nil && onlyTruths(frame.Column(bf.column.Name), truths) {
				bf.codes, bf.truth, bf.column.Kind = truths, true, data.String
			}
		}
		return
	}
}

// onlyTruths says that what a column holds, if anything, is true and false.
func onlyTruths(c *data.Column, truths map[string]float64) bool {
	some := false
	for i, k := range c.Codes {
		if c.Null(i) {
			continue
		}
		if _, ok := truths[c.Dict[k]]; !ok {
			return false
		}
		some = true
	}
	return some
}

// spell gives a truth's spellings a code, where they have none.
func spell(codes map[string]float64, v bool, code float64) {
	for _, s := range map[bool][]string{true: {"true", "True", "TRUE"}, false: {"false", "False", "FALSE"}}[v] {
		if _, ok := codes[s]; !ok {
			codes[s] = code
		}
	}
}

// missingWords are what other programs write where a value is missing, in lower case.
var missingWords = []string{"nan", "na", "n/a", "#n/a", "<na>", "null", "none", "nil", "-", ".", "?"}

// explain adds the way out where a cell of a column of numbers is none.
func (b *textBinding) explain(err error) error {
	if !errors.Is(err, data.ErrContract) {
		return err
	}
	for _, f := range b.features {
		_, after, ok := strings.Cut(err.Error(), ": column "+f.column.Name+": ")
		value, bad := strconv.QuotedPrefix(after)
		if !ok || bad != nil || f.codes != nil {
			continue
		}
		reason := strings.TrimPrefix(after, value+": ")
		value, _ = strconv.Unquote(value)
		word := strings.ToLower(value)
		switch {
		case reason != "not a number" && reason != "not a finite number":
			return err
		case slices.Contains(missingWords, word):
			return fmt.Errorf("%w; leave the field empty for a missing value (null in JSON)", err)
		case reason == "not a finite number":
			return err
		case word == "true" || word == "false":
			return fmt.Errorf("%w; write true or false in every row of the column, or 1 and 0", err)
		case b.paired && f.seen != nil:
			return fmt.Errorf("%w\nText columns need their levels: give --columns C, a columns.json as recoup train-lightgbm writes it", err)
		}
	}
	return err
}
