package ope

import (
	"math"
	"regexp"
	"slices"
	"strings"
)

// Rows reads a file of one decision a row and checks it:
//
//	reward, action, propensity   what was done, its probability, what came of it
//	e_<action>                   the target policy; the order of the actions is that of these columns
//	q_<action>                   a reward model; all or none
//	cluster                      the customer, as text
//	batch                        as text: the period in which the logger's policy stood still, where it learned from this log; in the order of time
//	shared                       as text: what the row has in common with those of other customers, like a bank's outage
//	logger                       which policy logged the row, a whole number from 0
//	b<k>_<action>                the full policy of logger k
//
// The error names the file and is a *Refusal where the rows cannot be trusted.
func (f *File) Rows() (*Rows, error) {
	r, err := f.rows()
	if err == nil {
		err = r.Check()
	}
	if err != nil {
		return nil, f.named(err)
	}
	return r, nil
}

func (f *File) rows() (*Rows, error) {
	if err := f.need("reward", "action", "propensity"); err != nil {
		return nil, err
	}
	in, err := f.policyColumns()
	if err != nil {
		return nil, err
	}
	r := &Rows{Actions: in.actions, Loggers: in.loggers, Behaviour: make([][]float64, len(in.loggers))}
	columns := append([]string{"reward", "action", "propensity"}, in.all()...)
	var loggers []string
	groups := map[string][]string{}
	for _, c := range []string{"cluster", "shared", "batch", "logger"} {
		if f.has(c) {
			columns = append(columns, c)
		}
	}
	err = f.chunks(columns, func(c *chunk) error {
		if err := r.addOutcomes(c, in); err != nil {
			return err
		}
		if err := r.addPolicies(c, in); err != nil {
			return err
		}
		for _, name := range []string{"cluster", "shared", "batch"} {
			if !f.has(name) {
				continue
			}
			words := c.words(name)
			if i := slices.Index(words, ""); i >= 0 {
				return refuse(ClusterMissing, c.row(i), name, "every row needs one, or none has the column")
			}
			groups[name] = append(groups[name], words...)
		}
		if f.has("logger") {
			loggers = append(loggers, c.words("logger")...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(r.Target) > math.MaxInt32 {
		return nil, refuse(LengthsDiffer, 0, "", "%d rows of %d actions are more than can be judged at once", r.Len(), len(r.Actions))
	}
	r.Start = Square(r.Len(), len(r.Actions))
	for name, words := range groups {
		switch name {
		case "cluster":
			r.Cluster = Groups(words)
		case "shared":
			r.Shared = Groups(words)
		case "batch":
			r.Batch = Groups(words)
		}
	}
	return r, r.setLoggers(loggers)
}

// addOutcomes reads what was done and what came of it.
func (r *Rows) addOutcomes(c *chunk, in *policyColumns) error {
	reward, err := c.numbers("reward")
	if err != nil {
		return err
	}
	propensity, err := c.numbers("propensity")
	if err != nil {
		return err
	}
	r.Reward, r.Propensity = append(r.Reward, reward...), append(r.Propensity, propensity...)
	for i, word := range c.words("action") {
		k, ok := in.index[word]
		if !ok {
			return refuse(ActionUnknown, c.row(i), "action", "%q has no column %q: the target's actions are %s", word, "e_"+word, short(r.Actions))
		}
		r.Taken = append(r.Taken, k)
	}
	return nil
}

// addPolicies reads the target, the reward model and the loggers' policies.
func (r *Rows) addPolicies(c *chunk, in *policyColumns) error {
	var err error
	if r.Target, err = c.matrix(r.Target, "e_", in.actions); err != nil {
		return err
	}
	if in.q {
		if r.Q, err = c.matrix(r.Q, "q_", in.actions); err != nil {
			return err
		}
	}
	for k := range in.loggers {
		if r.Behaviour[k], err = c.matrix(r.Behaviour[k], in.prefix[k], in.actions); err != nil {
			return err
		}
	}
	return nil
}

// matrix appends the rows of the columns prefix+name.
func (c *chunk) matrix(dst []float64, prefix string, names []string) ([]float64, error) {
	from, k := len(dst), len(names)
	dst = append(dst, make([]float64, c.frame.N*k)...)
	for j, name := range names {
		x, err := c.numbers(prefix + name)
		if err != nil {
			return nil, err
		}
		for i, v := range x {
			dst[from+i*k+j] = v
		}
	}
	return dst, nil
}

var digits = regexp.MustCompile(`^[0-9]+$`)

// setLoggers numbers the loggers: those with a policy as their columns are sorted,
// else those that appear.
func (r *Rows) setLoggers(words []string) error {
	known := len(r.Loggers) > 0
	if words == nil {
		if known && r.Loggers[0] != "0" {
			return refuse(ColumnMissing, 0, "logger", "there are policies of loggers %s and none of logger 0: say which of them logged each row", short(r.Loggers))
		}
		return nil
	}
	for i, w := range words {
		if !digits.MatchString(w) {
			return refuse(LoggerUnknown, i+1, "logger", "%q: a whole number from 0 is expected", w)
		}
		words[i] = plainDigits(w)
	}
	if !known {
		r.Loggers = slices.Clone(words)
		slices.SortFunc(r.Loggers, byDigits)
		r.Loggers = slices.Compact(r.Loggers)
	}
	r.Logger = make([]int32, len(words))
	for i, w := range words {
		k := slices.Index(r.Loggers, w)
		if k < 0 {
			return refuse(LoggerUnknown, i+1, "logger", "there are no columns b%s_<action>: policies are known of %s", w, short(r.Loggers))
		}
		r.Logger[i] = int32(k)
	}
	return nil
}

func plainDigits(text string) string {
	if text = strings.TrimLeft(text, "0"); text == "" {
		return "0"
	}
	return text
}

// byDigits orders whole numbers written without leading zeros.
func byDigits(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}

func short(words []string) string {
	if len(words) > 8 {
		return listed(words[:8]) + ", ..."
	}
	return listed(words)
}

// listed are names with commas between them.
func listed(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = shown(w)
	}
	return strings.Join(out, ", ")
}
