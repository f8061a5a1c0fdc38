package lightgbm

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// edited is a model text under edit.
type edited struct {
	t      *testing.T
	header []string
	trees  [][]string
	rest   string
}

// edit takes a fixture apart.
func edit(t *testing.T, name string) *edited {
	t.Helper()
	text := string(readFile(t, "testdata/"+name+"/model.txt"))
	start, end := strings.Index(text, "Tree=0\n"), strings.Index(text, "end of trees\n")
	e := &edited{t: t, header: strings.Split(strings.TrimSuffix(text[:start], "\n\n"), "\n"), rest: text[end:]}
	for _, b := range strings.Split(strings.TrimSuffix(text[start:end], "\n\n\n"), "\n\n\n") {
		e.trees = append(e.trees, strings.Split(b, "\n"))
	}
	return e
}

// text puts the model together, with the sizes of the trees as they are now.
func (e *edited) text() []byte {
	var blocks []string
	var sizes []string
	for _, lines := range e.trees {
		blocks = append(blocks, strings.Join(lines, "\n")+"\n\n\n")
		sizes = append(sizes, fmt.Sprint(len(blocks[len(blocks)-1])))
	}
	e.set(e.header, "tree_sizes", func(string) string { return strings.Join(sizes, " ") })
	return []byte(strings.Join(e.header, "\n") + "\n\n" + strings.Join(blocks, "") + e.rest)
}

// resized is a text with the sizes of its trees as they are now.
func resized(text string) []byte {
	start, end := strings.Index(text, "Tree=0\n"), strings.LastIndex(text, "end of trees")
	at := strings.Index(text, "tree_sizes=")
	if start < 0 || end < start || at < 0 || at > start {
		return []byte(text)
	}
	var sizes []string
	for i, b := range strings.Split(text[start:end], "\nTree=") {
		n := len(b)
		if i > 0 {
			n += len("Tree=")
		}
		if i < strings.Count(text[start:end], "\nTree=") {
			n++
		}
		sizes = append(sizes, fmt.Sprint(n))
	}
	line, after, _ := strings.Cut(text[at:], "\n")
	_ = line
	return []byte(text[:at] + "tree_sizes=" + strings.Join(sizes, " ") + "\n" + after)
}

// set changes the value of a line; a line that is not there fails the test.
func (e *edited) set(lines []string, key string, change func(string) string) {
	e.t.Helper()
	for i, line := range lines {
		if v, ok := strings.CutPrefix(line, key+"="); ok {
			lines[i] = key + "=" + change(v)
			return
		}
	}
	e.t.Fatalf("no line %s", key)
}

// head sets a line of the header.
func (e *edited) head(key, value string) *edited {
	e.t.Helper()
	e.set(e.header, key, func(string) string { return value })
	return e
}

// drop removes a line of the header.
func (e *edited) drop(key string) *edited {
	e.header = without(e.header, key)
	return e
}

func without(lines []string, key string) (out []string) {
	for _, line := range lines {
		if !strings.HasPrefix(line, key+"=") {
			out = append(out, line)
		}
	}
	return out
}

// param sets a line of the parameters.
func (e *edited) param(key, value string) *edited {
	e.t.Helper()
	at := strings.Index(e.rest, "\n["+key+": ")
	if at < 0 {
		e.t.Fatalf("no parameter %s", key)
	}
	end := at + 1 + strings.Index(e.rest[at+1:], "\n")
	e.rest = e.rest[:at] + "\n[" + key + ": " + value + "]" + e.rest[end:]
	return e
}

// tree sets a line of tree 1.
func (e *edited) tree(key, value string) *edited {
	e.t.Helper()
	e.set(e.trees[1], key, func(string) string { return value })
	return e
}

// value sets one value, counted from 0, of a line of tree 1.
func (e *edited) value(key string, i int, value string) *edited {
	e.t.Helper()
	e.set(e.trees[1], key, func(v string) string {
		a := strings.Split(v, " ")
		a[i] = value
		return strings.Join(a, " ")
	})
	return e
}

// untree removes a line of tree 1.
func (e *edited) untree(key string) *edited {
	e.trees[1] = without(e.trees[1], key)
	return e
}

// after adds a line to tree 1.
func (e *edited) after(key, line string) *edited {
	e.t.Helper()
	for i, l := range e.trees[1] {
		if strings.HasPrefix(l, key+"=") {
			e.trees[1] = append(e.trees[1][:i+1:i+1], append([]string{line}, e.trees[1][i+1:]...)...)
			return e
		}
	}
	e.t.Fatalf("no line %s", key)
	return e
}

// replaced changes the finished text once.
func (e *edited) replaced(old, with string) []byte {
	e.t.Helper()
	text := e.text()
	if !bytes.Contains(text, []byte(old)) {
		e.t.Fatalf("the text has no %q", old)
	}
	return bytes.Replace(text, []byte(old), []byte(with), 1)
}

// One split, f0 <= 0.5, for the cases of which LightGBM's own scores are known.
type stump struct {
	version, objective, average, names, infos     string
	threshold, decision, leaves, sets, tail, more string
	trees                                         int
}

func (s stump) text() []byte {
	or := func(v, otherwise string) string {
		if v == "" {
			return otherwise
		}
		return v
	}
	names := or(s.names, "f0")
	var blocks, sizes []string
	for i := range max(s.trees, 1) {
		cat := "num_cat=0\n"
		if s.sets != "" {
			cat = "num_cat=1\n"
		}
		b := fmt.Sprintf("Tree=%d\nnum_leaves=2\n%ssplit_feature=0\nsplit_gain=1\nthreshold=%s\ndecision_type=%s\nleft_child=-1\nright_child=-2\nleaf_value=%s\nleaf_weight=1 1\nleaf_count=1 1\ninternal_value=0\ninternal_weight=2\n%s%sshrinkage=1\n\n\n",
			i, cat, or(s.threshold, "0.5"), or(s.decision, "2"), or(s.leaves, "-0.25 0.75"), s.sets, or(s.more, "internal_count=2\nis_linear=0\n"))
		blocks, sizes = append(blocks, b), append(sizes, fmt.Sprint(len(b)))
	}
	return []byte("tree\nversion=" + or(s.version, "v4") + "\nnum_class=1\nnum_tree_per_iteration=1\nlabel_index=0\nmax_feature_idx=" + fmt.Sprint(strings.Count(names, " ")) +
		"\nobjective=" + or(s.objective, "binary sigmoid:1") + "\n" + s.average + "feature_names=" + names + "\nfeature_infos=" + or(s.infos, "[0:1]"+strings.Repeat(" [0:1]", strings.Count(names, " "))) +
		"\ntree_sizes=" + strings.Join(sizes, " ") + "\n\n" + strings.Join(blocks, "") + "end of trees\n" + s.tail)
}
