package ope

import "math"

// grouping says which rows hang together: those of a cluster in any way, and those that
// share something across clusters, by that alone.
type grouping struct {
	cluster []int32 // nil = unknown
	shared  []int32 // nil = nothing is known of it
	both    []int32 // rows of one cluster that share; nil with shared
	lasting [][]int32
}

// groupingOf numbers the rows that have both in common.
func groupingOf(cluster, shared []int32, lasting [][]int32) grouping {
	g := grouping{cluster: cluster, lasting: lasting}
	if cluster == nil || shared == nil {
		return g
	}
	g.shared, g.both = shared, make([]int32, len(cluster))
	seen := make(map[[2]int32]int32)
	for i := range cluster {
		k := [2]int32{cluster[i], shared[i]}
		n, ok := seen[k]
		if !ok {
			n = int32(len(seen))
			seen[k] = n
		}
		g.both[i] = n
	}
	return g
}

// clusterSE is sqrt(G/(G-1) Σ S²)/n, S the sum of psi in a cluster.
func clusterSE(psi []float64, groups []int32) (*float64, Reason) {
	if groups == nil {
		return nil, NoCluster
	}
	sums := make([]float64, countGroups(groups))
	if len(sums) < 2 {
		return nil, OneCluster
	}
	for i, g := range groups {
		sums[g] += psi[i]
	}
	g := float64(len(sums))
	v := number(math.Sqrt(g/(g-1)*squares(sums)) / float64(len(psi)))
	if v == nil {
		return nil, Overflow
	}
	return v, ""
}

// sharedSE is the standard error of two-way clusters (Cameron, Gelbach & Miller 2011,
// "Robust Inference with Multiway Clustering", eq. 2.11): the variance by cluster, and
// that by what is shared, less that by both, which was counted twice. What is lasting is
// taken out of the terms before they are added up by what is shared: a bank that is
// always worse, or a week with a pay day in it, is the same in the next log and widens
// nothing; its outage is not. Chance can put the whole below the error by cluster, which
// it then is. Nil where it is not known what is shared, or all rows share one thing.
func (g grouping) sharedSE(psi []float64, byCluster *float64) *float64 {
	if g.shared == nil || byCluster == nil {
		return nil
	}
	rest := g.passing(psi)
	shared, _ := clusterSE(rest, g.shared)
	both, _ := clusterSE(rest, g.both)
	if shared == nil || both == nil {
		return nil
	}
	left := float64(countGroups(g.shared) - 1) // what is taken out took its part of the shocks along
	most := left
	for _, groups := range g.lasting {
		left -= float64(countGroups(groups) - 1)
	}
	if left < 1 {
		return nil
	}
	c, excess := *byCluster**byCluster, *shared**shared-*both**both
	return number(math.Sqrt(max(c, c+excess*most/left)))
}

// sweeps of taking out one lasting level after the other: they converge fast, for rows lie
// crosswise.
const sweeps = 10

// passing are the terms without what is lasting: the means of its groups are near 0.
func (g grouping) passing(psi []float64) []float64 {
	if len(g.lasting) == 0 {
		return psi
	}
	out := append([]float64(nil), psi...)
	for range sweeps {
		for _, groups := range g.lasting {
			sums, counts := make([]float64, countGroups(groups)), make([]float64, countGroups(groups))
			for i, k := range groups {
				sums[k] += out[i]
				counts[k]++
			}
			for i, k := range groups {
				out[i] -= sums[k] / counts[k]
			}
		}
	}
	return out
}

// Sharing is how much wider an interval by cluster must be for what clusters share:
// SEShared over SECluster, at least 1; 1 where it is not known.
func (e *Figure) Sharing() float64 {
	if e.SEShared == nil || !(*e.SECluster > 0) {
		return 1
	}
	return *e.SEShared / *e.SECluster
}

// DrawnCI is CIBootstrap, which is by cluster, widened by Sharing; nil = not drawn.
func (e *Figure) DrawnCI() *Interval {
	if e.CIBootstrap == nil || e.Value == nil {
		return nil
	}
	v, wider := *e.Value, e.Sharing()
	return &Interval{v - wider*(v-e.CIBootstrap[0]), v + wider*(e.CIBootstrap[1]-v)}
}
