package lightgbm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// tail reads what follows the trees: the importances, the parameters of training, the
// parser's settings and the pandas levels; line is that of "end of trees".
func (m *Model) tail(text []byte, line int, h *header) error {
	r := &tailReader{rest: text, line: line - 1}
	r.next() // end of trees
	seen := map[string]bool{}
	for {
		v, more := r.next()
		if !more {
			return nil
		}
		if len(v) == 0 {
			continue
		}
		name, _, _ := bytes.Cut(v, []byte{':'})
		f := field{line: r.line, tree: -1, key: string(name[:min(len(name), 60)])}
		if seen[f.key] {
			return f.fault("the file has this part twice")
		}
		seen[f.key] = true
		var err error
		switch {
		case string(v) == "feature_importances:" || string(v) == "feature importances:": // the latter in version 2
			err = m.importances(r)
		case string(v) == "parameters:":
			err = m.parameters(r, h)
		case string(v) == "parser:":
			_, err = r.until("end of parser", f)
		case bytes.HasPrefix(v, []byte("pandas_categorical:")):
			f.value = v[len("pandas_categorical:"):]
			m.PandasLevels, err = levels(f)
		default:
			err = f.fault("unknown part after the trees: feature_importances, parameters, parser and pandas_categorical are known")
		}
		if err != nil {
			return err
		}
	}
}

// tailReader goes through lines and counts them.
type tailReader struct {
	rest []byte
	line int // of the line last read
}

func (r *tailReader) next() (line []byte, more bool) {
	if len(r.rest) == 0 {
		return nil, false
	}
	line, r.rest, _ = bytes.Cut(r.rest, newline)
	r.line++
	return line, true
}

// until reads the lines before the closing one.
func (r *tailReader) until(last string, f field) ([]field, error) {
	var inner []field
	for {
		v, more := r.next()
		switch {
		case !more:
			return nil, &Fault{Line: r.line + 1, Key: last, Tree: -1, Cause: "the file ends before it, inside the part " + f.key + ": it was cut"}
		case string(v) == last:
			return inner, nil
		}
		inner = append(inner, field{line: r.line, tree: -1, value: v})
	}
}

// levels reads the line that Python adds: the levels of each column of the dtype category.
func levels(f field) ([][]any, error) {
	d := json.NewDecoder(bytes.NewReader(f.value))
	d.UseNumber()
	var lists [][]any
	if err := d.Decode(&lists); err != nil {
		return nil, f.fault("%s is not a JSON list of lists: %v", clipped(f.value), err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, f.fault("more after its JSON value")
	}
	for i, list := range lists {
		for _, v := range list {
			switch v.(type) {
			case string, bool, json.Number:
			default:
				return nil, f.fault("list %d holds %s, want texts, numbers, true and false", i+1, clipped(fmt.Append(nil, v)))
			}
		}
	}
	return lists, nil
}

// importances reads the part of that name up to the blank line: a name may hold "=".
func (m *Model) importances(r *tailReader) error {
	told := map[string]uint64{}
	for {
		v, more := r.next()
		if !more || len(v) == 0 {
			return m.importance(told)
		}
		at := bytes.LastIndexByte(v, '=')
		f := field{line: r.line, tree: -1, key: "feature_importances"}
		if at < 0 || !isInteger(v[at+1:]) {
			return f.fault("%s is not NAME=COUNT", clipped(v))
		}
		n, err := strconv.ParseUint(string(v[at+1:]), 10, 64)
		if err != nil {
			return f.fault("%s is not NAME=COUNT", clipped(v))
		}
		name := string(v[:at])
		if _, twice := told[name]; twice {
			return f.fault("%s is there twice", clipped(v[:at]))
		}
		told[name] = n
	}
}

// lowerCase are the letters of a parameter's name.
const lowerCase = "abcdefghijklmnopqrstuvwxyz0123456789_"

// parameters reads "[key: value]" lines and holds against the header those that say what
// the header says too.
func (m *Model) parameters(r *tailReader, h *header) error {
	lines, err := r.until("end of parameters", field{key: "parameters"})
	if err != nil {
		return err
	}
	seen := make(map[string]int, len(lines))
	for _, f := range lines {
		if len(f.value) == 0 {
			continue
		}
		inner, ok := strings.CutPrefix(string(f.value), "[")
		inner, ok2 := strings.CutSuffix(inner, "]")
		key, value, ok3 := strings.Cut(inner, ": ")
		f.key = "parameters"
		if !ok || !ok2 || !ok3 || strings.Trim(key, lowerCase) != "" {
			return f.fault("%s is not [key: value]", clipped(f.value))
		}
		f.key = key[:min(len(key), 60)] + " (parameters)"
		if before := seen[key]; before > 0 {
			return f.fault("it is there twice, first in line %d", before)
		}
		seen[key] = f.line
		if err := m.parameter(f, key, value, h); err != nil {
			return err
		}
	}
	return nil
}
