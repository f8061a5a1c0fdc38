package ope

import (
	"math/rand/v2"
	"runtime"
	"sync"
)

// How the draws are divided. Neither changes a number.
const (
	together = 16  // draws that a worker makes at once: a tile of sums is read once for all
	tile     = 512 // clusters whose sums stay in the fastest memory
)

// draw gives the sums of every column in each draw. Each draw has its own stream of
// random numbers, so it does not matter who makes it.
func (s *clusterSums) draw(o Bootstrap) [][]float64 {
	out := make([][]float64, o.Draws)
	for b := range out {
		out[b] = make([]float64, len(s.blocks)*width)
	}
	jobs := make(chan int, (o.Draws+together-1)/together)
	for from := 0; from < o.Draws; from += together {
		jobs <- from
	}
	close(jobs)
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), cap(jobs)) {
		wg.Go(func() {
			counts := make([][]uint8, together)
			for k := range counts {
				counts[k] = make([]uint8, s.groups)
			}
			for from := range jobs {
				part := out[from:min(from+together, o.Draws)]
				for k := range part {
					drawCounts(counts[k], o.Seed, uint64(from+k))
				}
				s.addUp(counts, part)
			}
		})
	}
	wg.Wait()
	return out
}

// drawCounts says how often each cluster comes up in len(counts) draws with
// replacement. A count beyond 255 needs at least 256 draws of one cluster among as
// many clusters: the chance is below 10^-500.
func drawCounts(counts []uint8, seed, stream uint64) {
	clear(counts)
	g := uint32(len(counts))
	threshold := -g % g // Lemire 2019: below it, some values would come up too often
	dice := rand.NewPCG(seed, scramble(stream))
	for k := 0; k < len(counts); {
		x := dice.Uint64()
		for half := 0; half < 2 && k < len(counts); half++ {
			m := uint64(uint32(x)) * uint64(g)
			x >>= 32
			if low := uint32(m); low < g && low < threshold {
				continue
			}
			counts[m>>32]++
			k++
		}
	}
}

// scramble makes streams of consecutive numbers unlike each other (SplitMix64,
// Steele, Lea and Flood 2014).
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// addUp adds the sums of the clusters as often as they were drawn.
func (s *clusterSums) addUp(counts [][]uint8, out [][]float64) {
	for k, block := range s.blocks {
		for from := 0; from < s.groups; from += tile {
			to := min(from+tile, s.groups)
			for b := range out {
				addTile(counts[b][from:to], block[from*width:to*width], (*[width]float64)(out[b][k*width:]))
			}
		}
	}
}

// addTile adds count times row for each row of width numbers.
func addTile(counts []uint8, x []float64, out *[width]float64) {
	a0, a1, a2, a3, a4, a5, a6 := out[0], out[1], out[2], out[3], out[4], out[5], out[6]
	for _, c := range counts {
		row := (*[width]float64)(x)
		x = x[width:]
		f := float64(c)
		a0 += f * row[0]
		a1 += f * row[1]
		a2 += f * row[2]
		a3 += f * row[3]
		a4 += f * row[4]
		a5 += f * row[5]
		a6 += f * row[6]
	}
	*out = [width]float64{a0, a1, a2, a3, a4, a5, a6}
}
