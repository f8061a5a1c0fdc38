package lightgbm

import "fmt"

// structure checks that from node 0 every node and every leaf is reached, and once: no
// cycle, no shared child, no orphan.
func (t *Tree) structure(l *treeLines) error {
	n := len(t.Nodes)
	if n == 0 {
		return nil
	}
	nodes, leaves := make([]bool, n), make([]bool, n+1)
	nodes[0] = true
	stack := make([]int32, 1, 64)
	seen := 1
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, side := range [2]treeKey{leftChild, rightChild} {
			child := t.Nodes[at].child(side)
			f, reached, k := l[side], nodes, int(child)
			if child < 0 {
				reached, k = leaves, int(^child)
			}
			if k >= len(reached) {
				return f.fault("split %d leads to %s, but the last is %d", at, childName(child), len(reached)-1)
			}
			if reached[k] {
				return f.fault("%s is reached twice%s, so another is never: the file was edited, and scoring might not end", childName(child), t.roads(child))
			}
			reached[k] = true
			if child >= 0 {
				seen++
				stack = append(stack, child)
			}
		}
	}
	if seen < n {
		return l[leftChild].fault("only %d of %d splits are reached from the first (left_child and right_child)", seen, n)
	}
	return nil
}

func (n *Node) child(side treeKey) int32 {
	if side == leftChild {
		return n.Left
	}
	return n.Right
}

// childName names a child.
func childName(child int32) string {
	if child < 0 {
		return fmt.Sprintf("leaf %d", ^child)
	}
	return fmt.Sprintf("split %d", child)
}

// roads lists the splits that lead to a child, the first few.
func (t *Tree) roads(child int32) string {
	if child == 0 {
		return " (it is the first, and a child)"
	}
	s, told := " (by", 0
	for i := range t.Nodes {
		for _, side := range [2]treeKey{leftChild, rightChild} {
			if t.Nodes[i].child(side) == child && told < 3 {
				s += fmt.Sprintf(" %s of %d", treeKeyNames[side], i)
				told++
			}
		}
	}
	return s + ")"
}
