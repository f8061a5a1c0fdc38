package bracket

import "recoup/data"

// about is how far a time may be moved.
const about = data.Day

// aboutSuffix marks policies whose times are moved.
const aboutSuffix = "_about"

// About is a policy whose time is drawn alike among those that were allowed for the
// same action within a day of it. It is a policy of its own, and its value is exact
// for that one: a log that spreads its draws over some sixty slots cannot tell what
// one slot is worth, and can tell what a day around it is.
func About(p Policy) Policy {
	exact := p.Probs
	p.Name += aboutSuffix
	p.Says = "as " + p.Name[:len(p.Name)-len(aboutSuffix)] + ", its time drawn alike among those allowed within a day of it"
	var probs []float64
	p.Probs = func(dst []float64, i int, d *Decision) []float64 {
		probs = exact(probs, i, d)
		dst = append(dst[:0], probs...)
		clear(dst)
		for j, q := range probs {
			if q == 0 {
				continue
			}
			near := 0
			for k := range d.Options {
				if d.near(j, k) {
					near++
				}
			}
			for k := range d.Options {
				if d.near(j, k) {
					dst[k] += q / float64(near)
				}
			}
		}
		return dst
	}
	return p
}

// near says whether two options are the same action within a day of each other.
func (d *Decision) near(j, k int) bool {
	a, b := &d.Options[j], &d.Options[k]
	return a.Action == b.Action && a.At-b.At <= about && b.At-a.At <= about
}
