package ope

import (
	"regexp"
	"slices"
	"strconv"
)

// Episodes reads a file of one step a row: the columns of Rows without loggers, and
// episode and step. Rows may come in any order; the steps of an episode are 1, 2, ...
// without gaps. A cluster must be the same in all steps of an episode.
func (f *File) Episodes() (*Episodes, error) {
	e, err := f.episodes()
	if err == nil {
		err = e.Rows.Check()
	}
	if err != nil {
		return nil, f.named(err)
	}
	return e, nil
}

func (f *File) episodes() (*Episodes, error) {
	if err := f.need("episode", "step"); err != nil {
		return nil, err
	}
	var ids []string
	var steps []int
	err := f.chunks([]string{"episode", "step"}, func(c *chunk) error {
		for i, word := range c.words("episode") {
			if word == "" {
				return refuse(EpisodeMissing, c.row(i), "episode", "every row needs one")
			}
			ids = append(ids, word)
		}
		for i, word := range c.words("step") {
			t, err := strconv.Atoi(word)
			if !stepNumber.MatchString(word) || err != nil {
				return refuse(StepInvalid, c.row(i), "step", "%q: 1, 2, ... are expected", word)
			}
			steps = append(steps, t)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	rows, err := f.rows()
	if err != nil {
		return nil, err
	}
	return arrange(rows, ids, steps)
}

var stepNumber = regexp.MustCompile(`^[1-9][0-9]*$`)

// arrange puts the rows of each episode in the order of their steps; episodes stay in
// the order of their first row.
func arrange(rows *Rows, ids []string, steps []int) (*Episodes, error) {
	group := Groups(ids)
	e := &Episodes{Rows: rows, First: make([]int32, 1, countGroups(group)+1)}
	parts := make([][]int32, countGroups(group))
	for i, g := range group {
		parts[g] = append(parts[g], int32(i))
	}
	for _, part := range parts {
		id := ids[part[0]]
		slices.SortStableFunc(part, func(a, b int32) int { return steps[a] - steps[b] })
		for t, i := range part {
			switch {
			case t > 0 && steps[i] == steps[part[t-1]]:
				return nil, refuse(StepDuplicate, int(i)+1, "step", "episode %q has step %d twice", id, steps[i])
			case steps[i] != t+1:
				return nil, refuse(StepGap, 0, "step", "episode %q has no step %d, and row %d is its step %d", id, t+1, i+1, steps[i])
			}
		}
		e.Order = append(e.Order, part...)
		e.First = append(e.First, int32(len(e.Order)))
		e.IDs = append(e.IDs, id)
	}
	return e, e.setCluster()
}

// setCluster moves the customers from the rows to the episodes.
func (e *Episodes) setCluster() error {
	if e.Rows.Cluster == nil {
		return nil
	}
	e.Cluster = make([]int32, e.Len())
	for j := range e.Cluster {
		i, _ := e.row(j, 0)
		e.Cluster[j] = e.Rows.Cluster[i]
		for t := range e.Steps(j) {
			if i, _ := e.row(j, t); e.Rows.Cluster[i] != e.Cluster[j] {
				return refuse(ClusterMissing, i+1, "cluster", "episode %q has another one in step 1: an episode is one customer's", e.IDs[j])
			}
		}
	}
	return nil
}
