package train

import (
	"context"
	"sync"
)

// taskRows is how many rows one task sums. It is part of the result's bytes: it
// decides what is added to what.
const taskRows = 8192

// reduce sums over all rows. Tasks of up to taskRows rows are handed to the
// workers; their sums are merged as a binary tree over the task's number, whatever the
// order they finish in. make gives an empty sum, add adds rows lo .. hi-1 of a
// chunk, merge adds the second sum to the first.
func reduce[A any](ctx context.Context, r *fitRows, empty func() A, add func(A, *chunk, int, int), merge func(into, from A)) (A, error) {
	type task struct {
		c      *chunk
		lo, hi int
		sum    chan A
	}
	work, order := make(chan task), make(chan task, 4*r.workers)
	free := make(chan A, 4*r.workers+64)
	var group sync.WaitGroup
	for range r.workers {
		group.Go(func() {
			for t := range work {
				var a A
				select {
				case a = <-free:
				default:
					a = empty()
				}
				add(a, t.c, t.lo, t.hi)
				t.sum <- a
			}
		})
	}
	var failed error
	group.Go(func() {
		defer close(order)
		defer close(work)
		failed = r.each(ctx, func(c *chunk) error {
			for lo := 0; lo < c.n; lo += taskRows {
				t := task{c, lo, min(lo+taskRows, c.n), make(chan A, 1)}
				order <- t
				work <- t
			}
			return nil
		})
	})
	var tree []A
	n := 0
	for t := range order {
		tree = append(tree, <-t.sum)
		n++
		for k := n; k%2 == 0; k /= 2 {
			tree = fold(tree, merge, free)
		}
	}
	group.Wait()
	if failed != nil {
		var none A
		return none, failed
	}
	for len(tree) > 1 {
		tree = fold(tree, merge, free)
	}
	if len(tree) == 0 {
		return empty(), nil
	}
	return tree[0], nil
}

// fold merges the last two sums.
func fold[A any](tree []A, merge func(into, from A), free chan A) []A {
	k := len(tree) - 1
	merge(tree[k-1], tree[k])
	select {
	case free <- tree[k]: // merge has emptied it
	default:
	}
	return tree[:k]
}
