package ope

import (
	"regexp"
	"slices"
	"strings"
)

// policyColumns are the columns of a file that hold policies and predictions.
type policyColumns struct {
	actions []string // the names after e_, in the order of the file
	index   map[string]int32
	q       bool     // q_<action> of every action
	loggers []string // the k of b<k>_<action>, ascending
	prefix  []string // of each logger, as the file writes it
}

var behaviourColumn = regexp.MustCompile(`(?s)^b([0-9]+)_(.+)$`)

// policyColumns finds them and refuses a set that is not whole.
func (f *File) policyColumns() (*policyColumns, error) {
	in := &policyColumns{index: map[string]int32{}}
	var qs []string
	for _, h := range f.head {
		if a, ok := strings.CutPrefix(h, "e_"); ok && a != "" {
			in.index[a] = int32(len(in.actions))
			in.actions = append(in.actions, a)
		}
		if a, ok := strings.CutPrefix(h, "q_"); ok && a != "" {
			qs = append(qs, a)
		}
	}
	if len(in.actions) == 0 {
		return nil, refuse(ColumnMissing, 0, "e_<action>", "the target policy: one column an action, its probability in each row")
	}
	for _, a := range qs {
		if !slices.Contains(in.actions, a) {
			return nil, refuse(ColumnMissing, 0, "e_"+a, "there is %q: the reward model knows an action that the target does not", "q_"+a)
		}
	}
	in.q = len(qs) > 0
	for _, a := range in.actions {
		if in.q && !slices.Contains(qs, a) {
			return nil, refuse(ColumnMissing, 0, "q_"+a, "the reward model needs a column for every action, or none")
		}
	}
	return in, f.loggerColumns(in)
}

// loggerColumns finds whose full policies the file has.
func (f *File) loggerColumns(in *policyColumns) error {
	prefix := map[string]string{}
	for _, h := range f.head {
		if m := behaviourColumn.FindStringSubmatch(h); m != nil {
			k := plainDigits(m[1])
			if _, ok := prefix[k]; !ok {
				in.loggers = append(in.loggers, k)
				prefix[k] = "b" + m[1] + "_"
			}
		}
	}
	slices.SortFunc(in.loggers, byDigits)
	for _, k := range in.loggers {
		in.prefix = append(in.prefix, prefix[k])
		for _, a := range in.actions {
			if !f.has(prefix[k] + a) {
				return refuse(ColumnMissing, 0, prefix[k]+a, "the policy of logger %s needs a column for every action", k)
			}
		}
	}
	return nil
}

// all are the names of the columns.
func (in *policyColumns) all() []string {
	var out []string
	for _, p := range append([]string{"e_"}, in.prefix...) {
		for _, a := range in.actions {
			out = append(out, p+a)
		}
	}
	for _, a := range in.actions {
		if in.q {
			out = append(out, "q_"+a)
		}
	}
	return out
}
