package ledger

import (
	"math/bits"

	"golang.org/x/mod/sumdb/tlog"
)

// tree is the right edge of a Merkle tree (RFC 6962) that grows leaf by leaf: a
// hash for each 1 among the bits of its size, the largest subtree first. So the
// root of any number of entries takes one pass over them and no memory.
type tree struct {
	size int64
	edge []tlog.Hash
}

func (t *tree) add(leaf tlog.Hash) {
	for range bits.TrailingZeros64(^uint64(t.size)) {
		last := len(t.edge) - 1
		leaf = tlog.NodeHash(t.edge[last], leaf)
		t.edge = t.edge[:last]
	}
	t.edge = append(t.edge, leaf)
	t.size++
}

// root is the hash over all leaves; of none it is the hash of nothing, as RFC 6962 has it.
func (t *tree) root() tlog.Hash {
	if len(t.edge) == 0 {
		root, err := tlog.TreeHash(0, nil)
		if err != nil {
			panic(err)
		}
		return root
	}
	root := t.edge[len(t.edge)-1]
	for i := len(t.edge) - 2; i >= 0; i-- {
		root = tlog.NodeHash(t.edge[i], root)
	}
	return root
}
