package lightgbm

import "math"

// paths are trees laid out to be walked, four side by side, each as many steps as the
// deepest of the four needs: a leaf is a step that leads to itself. So nothing has to be
// foreseen. Missing values cost no branch either: a column is read once for each rule
// and default direction, and a missing value becomes one below or above all edges.
type paths struct {
	trees  []*Tree
	at     []root // by depth
	steps  []step
	inputs []input
	sets   [][]uint32 // of categories that go left
}

// root is where a tree begins.
type root struct{ tree, first, depth int32 }

// step goes to next if its input is at most edge, else to next+1. A leaf has the input
// that is below everything, and its value as edge; of a linear tree, its number. A step
// by a set of categories has the set's number as edge and its input as -1 - input.
type step struct {
	edge        float64
	input, next int32
}

// input is how a column is read.
type input struct {
	column int32 // -1 = below everything
	rule   rule
	absent float64 // +Inf or -Inf: what a missing value is taken for; +Inf becomes NaN, which is above +Inf too
}

// maxInputs is how many values fit the place that a walk has for them.
const maxInputs = 1024

// standTrees is how many trees a stand has at most.
const standTrees = 512

// score adds the trees to the sums of some rows.
func (p *paths) score(rows [][]float64, sums []float64) {
	if len(p.inputs) > maxInputs {
		for i, row := range rows {
			for _, t := range p.trees {
				sums[i] += t.output(t.leaf(row), row)
			}
		}
		return
	}
	var in [maxInputs]float64
	var out [standTrees]float64
	for i, row := range rows {
		p.read(&in, row)
		p.walk(&out, &in)
		sum := sums[i]
		for k, v := range out[:len(p.trees)] {
			if t := p.trees[k]; t.Linear != nil {
				v = t.output(int(v), row)
			}
			sum += v
		}
		sums[i] = sum
	}
}

// read fills the inputs from a row.
func (p *paths) read(in *[maxInputs]float64, row []float64) {
	in[0] = math.Inf(-1)
	for i, n := range p.inputs[1:] {
		x := snapped(row[n.column])
		switch {
		case n.rule == ruleCodes:
		case x != x && n.rule == ruleNone:
			x = 0
		case x != x && n.rule != ruleNone || x == 0 && n.rule == ruleZero:
			x = n.absent
			if x > 0 {
				x = math.NaN()
			}
		}
		in[i+1] = x
	}
}

// walk finds the leaf of each tree.
func (p *paths) walk(out *[standTrees]float64, in *[maxInputs]float64) {
	at := p.at
	if len(p.sets) == 0 {
		for ; len(at) >= 4; at = at[4:] {
			p.walk4((*[4]root)(at), out, in)
		}
	}
	for _, r := range at {
		s := &p.steps[r.first]
		for range r.depth {
			next := s.next
			if s.input < 0 {
				if x := in[^s.input&(maxInputs-1)]; !(x > -1 && x < 1<<31 && has(p.sets[int(s.edge)], uint32(x))) {
					next++
				}
			} else if !(in[s.input&(maxInputs-1)] <= s.edge) {
				next++
			}
			s = &p.steps[next]
		}
		out[r.tree&(standTrees-1)] = s.edge
	}
}

// walk4 walks four trees.
func (p *paths) walk4(r *[4]root, out *[standTrees]float64, in *[maxInputs]float64) {
	steps := p.steps
	a, b, c, d := &steps[r[0].first], &steps[r[1].first], &steps[r[2].first], &steps[r[3].first]
	for range r[3].depth {
		a = &steps[a.next+above(in[a.input&(maxInputs-1)], a.edge)]
		b = &steps[b.next+above(in[b.input&(maxInputs-1)], b.edge)]
		c = &steps[c.next+above(in[c.input&(maxInputs-1)], c.edge)]
		d = &steps[d.next+above(in[d.input&(maxInputs-1)], d.edge)]
	}
	out[r[0].tree&(standTrees-1)], out[r[1].tree&(standTrees-1)] = a.edge, b.edge
	out[r[2].tree&(standTrees-1)], out[r[3].tree&(standTrees-1)] = c.edge, d.edge
}

// above is 1 if x is not at most edge, without a branch.
func above(x, edge float64) int32 {
	up := int32(0)
	if !(x <= edge) {
		up = 1
	}
	return up
}
