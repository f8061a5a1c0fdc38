package ope

import "slices"

// Times reads a file whose action is a time: reward, t_logged, t_eval, density and,
// where there are, q_eval, cluster, and t_from with t_to, the window of the row.
func (f *File) Times() (*Times, error) {
	t, err := f.times()
	if err == nil {
		err = t.Check()
	}
	if err != nil {
		return nil, f.named(err)
	}
	return t, nil
}

func (f *File) times() (*Times, error) {
	t := &Times{}
	columns := []string{"reward", "t_logged", "t_eval", "density"}
	into := []*[]float64{&t.Reward, &t.Logged, &t.Eval, &t.Density}
	if err := f.need(columns...); err != nil {
		return nil, err
	}
	if f.has("q_eval") {
		columns, into = append(columns, "q_eval"), append(into, &t.Q)
	}
	if f.has("t_from") || f.has("t_to") {
		if err := f.need("t_from", "t_to"); err != nil {
			return nil, err
		}
		columns, into = append(columns, "t_from", "t_to"), append(into, &t.From, &t.To)
	}
	numbers := columns
	if f.has("cluster") {
		columns = append(columns, "cluster")
	}
	var clusters []string
	err := f.chunks(columns, func(c *chunk) error {
		for k, name := range numbers {
			x, err := c.numbers(name)
			if err != nil {
				return err
			}
			*into[k] = append(*into[k], x...)
		}
		if f.has("cluster") {
			words := c.words("cluster")
			if i := slices.Index(words, ""); i >= 0 {
				return refuse(ClusterMissing, c.row(i), "cluster", "every row needs one, or none has the column")
			}
			clusters = append(clusters, words...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if clusters != nil {
		t.Cluster = Groups(clusters)
	}
	return t, nil
}
