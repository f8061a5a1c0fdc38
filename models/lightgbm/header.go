package lightgbm

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// header is what the lines before the first tree say beside what the Model keeps.
type header struct {
	sizes   field // tree_sizes: the bytes of each tree's block
	objects field // objective
	start   int   // where the first block begins
	line    int   // its line
	end     int   // where the blocks end; known after blocks
}

// headerKeys are the lines that a header may have; true = it must.
var headerKeys = map[string]bool{
	"version": true, "num_class": true, "num_tree_per_iteration": true, "label_index": true, "max_feature_idx": true, "objective": true,
	"average_output": false, "feature_names": true, "monotone_constraints": false, "feature_infos": true, "tree_sizes": true,
}

// header reads the lines up to the first blank one.
func (m *Model) header(text []byte) (*header, error) {
	fields, h, err := headerLines(text)
	if err != nil {
		return nil, err
	}
	for _, key := range []string{"version", "num_class", "num_tree_per_iteration", "label_index", "max_feature_idx", "objective", "feature_names", "feature_infos", "tree_sizes"} {
		if fields[key].line == 0 {
			return nil, missing(key)
		}
	}
	if m.Version, err = version(fields["version"]); err != nil {
		return nil, err
	}
	h.sizes, h.objects = fields["tree_sizes"], fields["objective"]
	if m.Objective, err = objective(h.objects); err != nil {
		return nil, err
	}
	for _, key := range []string{"num_class", "num_tree_per_iteration"} {
		if f := fields[key]; string(f.value) != "1" {
			return nil, f.faultWay("train it with objective=binary", "%s, want 1: one probability is wanted of a row", clipped(f.value))
		}
	}
	if f := fields["label_index"]; !isInteger(f.value) {
		return nil, f.fault("%s is not a whole number", clipped(f.value))
	}
	m.Average = fields["average_output"].line > 0
	return h, m.features(fields)
}

func missing(key string) error {
	way := map[string]string{
		"objective":  "the model has a custom objective, so what its raw scores mean is unknown: train it with objective=binary",
		"tree_sizes": "without it a cut file cannot be told from a whole one: " + Export,
	}[key]
	return &Fault{Key: key, Tree: -1, Cause: "the header has no such line", Way: way}
}

// headerLines are the header's lines by key, and where the first tree begins.
func headerLines(text []byte) (map[string]field, *header, error) {
	fields, at := map[string]field{}, len("tree\n")
	for n := 2; ; n++ {
		line, _, more := bytes.Cut(text[at:], newline)
		key, value, equals := bytes.Cut(line, []byte{'='})
		f := field{line: n, tree: -1, key: string(key[:min(len(key), 60)]), value: value}
		known := headerKeys
		_, ok := known[f.key]
		switch {
		case !more:
			f.key = "tree_sizes"
			if fields[f.key].line > 0 {
				f.key = "Tree=0"
			}
			return nil, nil, f.fault("the file ends in its header")
		case len(line) == 0:
			return fields, &header{start: at + 1, line: n + 1}, nil
		case string(line) == "average_output":
			f.value = nil
		case !ok || !equals || f.key == "average_output":
			f.key = string(line[:min(len(line), 60)])
			return nil, nil, f.faultWay("export it with a LightGBM from 2.2 to 4.7", "unknown line of the header: it may change what the others mean")
		}
		if before := fields[f.key].line; before > 0 {
			return nil, nil, f.fault("the header has it twice, first in line %d", before)
		}
		fields[f.key], at = f, at+len(line)+1
	}
}

func version(f field) (int, error) {
	switch string(f.value) {
	case "v2":
		return 2, nil
	case "v3":
		return 3, nil
	case "v4":
		return 4, nil
	}
	return 0, f.faultWay("export it with a LightGBM from 2.2 to 4.7", "%s is an unknown format; v2, v3 and v4 are known", clipped(f.value))
}

// features reads what the header tells of each feature.
func (m *Model) features(fields map[string]field) error {
	idx, names, infos := fields["max_feature_idx"], fields["feature_names"], fields["feature_infos"]
	last, err := idx.integer(idx.value, 0, MaxBytes)
	if err != nil {
		return err
	}
	n := int(last) + 1
	why := "max_feature_idx + 1"
	if err := names.want(n, why); err != nil {
		return err
	}
	if err := infos.want(n, why); err != nil {
		return err
	}
	if f := fields["monotone_constraints"]; f.line > 0 {
		if err := f.told(n, why); err != nil {
			return err
		}
	}
	m.Names, m.Infos, m.Kinds = make([]string, n), make([]string, n), make([]Kind, n)
	m.Splits, m.Gains = make([]int, n), make([]float64, n)
	first := make(map[string]int, n)
	err = names.each(func(i int, v []byte) error {
		if !utf8.Valid(v) {
			return names.fault("name %d is not UTF-8: %s", i+1, clipped(v))
		}
		m.Names[i] = string(v)
		if j, twice := first[m.Names[i]]; twice {
			return names.faultWay("name the columns apart and train again", "%s is the name of features %d and %d", clipped(v), j, i)
		}
		first[m.Names[i]] = i
		return nil
	})
	if err != nil {
		return err
	}
	return infos.each(func(i int, v []byte) error {
		m.Infos[i] = string(v)
		m.Kinds[i], err = kind(infos, v)
		return err
	})
}

// kind reads one of feature_infos: none, [min:max], or the categories as 3:1:2, after
// a leading -1 from version 3 on.
func kind(f field, v []byte) (Kind, error) {
	s := string(v)
	if s == "none" {
		return Unused, nil
	}
	if inner, ok := strings.CutPrefix(s, "["); ok {
		inner, ok = strings.CutSuffix(inner, "]")
		lo, hi, colon := strings.Cut(inner, ":")
		if !ok || !colon {
			return 0, f.fault("%s is not none, [min:max] or a list of categories", clipped(v))
		}
		a, err := f.number([]byte(lo))
		if err != nil {
			return 0, err
		}
		b, err := f.number([]byte(hi))
		if err == nil && a > b {
			err = f.fault("%s: its minimum is above its maximum", clipped(v))
		}
		return Numeric, err
	}
	for c := range bytes.SplitSeq(v, []byte{':'}) {
		if !isInteger(c) {
			return 0, f.fault("%s is not none, [min:max] or a list of categories", clipped(v))
		}
	}
	return Categorical, nil
}
