package score

// Formulas of proposals, with their versions: a change of what one computes is a
// new version.
const (
	Uniform  = "uniform-1"  // the same for every candidate
	Softened = "softened-1" // e to the value over the best, in units of softness x amount
)
