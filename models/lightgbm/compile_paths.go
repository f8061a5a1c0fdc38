package lightgbm

import (
	"fmt"
	"math"
	"slices"
)

// compilePaths lays trees out to be walked. It refuses nodes that do not make a tree.
func compilePaths(trees []*Tree, width int) (*paths, error) {
	p := &paths{trees: trees, inputs: []input{{column: -1}}, at: make([]root, len(trees))}
	known := map[input]int32{}
	for i, t := range trees {
		if err := p.add(i, t, width, known); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(p.at, func(x, y root) int { return int(x.depth) - int(y.depth) })
	return p, nil
}

// add lays out one tree, level by level, the children of a node side by side.
func (p *paths) add(i int, t *Tree, width int, known map[input]int32) error {
	if len(t.Nodes)+1 != len(t.Leaves) || t.Linear != nil && len(t.Linear) != len(t.Leaves) {
		return fmt.Errorf("%d nodes and %d leaves: expected one leaf more than nodes", len(t.Nodes), len(t.Leaves))
	}
	first := len(p.steps)
	level := []int32{0}
	if len(t.Nodes) == 0 {
		level[0] = ^0
	}
	p.steps = append(p.steps, step{})
	depth, leaves := int32(0), 0
	for at := first; len(level) > 0; depth++ {
		var next []int32
		for _, child := range level {
			if child < 0 {
				if int(^child) >= len(t.Leaves) {
					return fmt.Errorf("child %d: the nodes do not make a tree", child)
				}
				leaves++
				p.steps[at] = step{edge: t.Leaves[^child], next: int32(at)} // the value, and no way on
				if t.Linear != nil {
					p.steps[at].edge = float64(^child)
				}
				at++
				continue
			}
			if int(child) >= len(t.Nodes) || len(p.steps)-first+2 > 2*len(t.Leaves)-1 {
				return fmt.Errorf("child %d: the nodes do not make a tree", child)
			}
			n := &t.Nodes[child]
			if n.Feature < 0 || int(n.Feature) >= width {
				return fmt.Errorf("node %d: column %d of %d", child, n.Feature, width)
			}
			p.steps[at] = step{edge: n.Threshold, next: int32(len(p.steps)), input: p.input(n, known)}
			if n.Category >= 0 {
				p.steps[at].edge, p.steps[at].input = float64(len(p.sets)), ^p.steps[at].input
				p.sets = append(p.sets, t.CatBits[t.CatBoundaries[n.Category]:t.CatBoundaries[n.Category+1]])
			}
			p.steps = append(p.steps, step{}, step{})
			next = append(next, n.Left, n.Right)
			at++
		}
		level = next
	}
	if leaves < len(t.Leaves) {
		return fmt.Errorf("%d of %d leaves: the others have no parent", leaves, len(t.Leaves))
	}
	p.at[i] = root{tree: int32(i), first: int32(first), depth: depth - 1}
	return nil
}

// input numbers the ways in which columns are read.
func (p *paths) input(n *Node, known map[input]int32) int32 {
	in := input{column: n.Feature, rule: n.rule()}
	if in.rule == ruleZero || in.rule == ruleNaN {
		in.absent = math.Inf(1)
		if n.DefaultLeft {
			in.absent = math.Inf(-1)
		}
	}
	k, ok := known[in]
	if !ok {
		k = int32(len(p.inputs))
		p.inputs, known[in] = append(p.inputs, in), k
	}
	return k
}
