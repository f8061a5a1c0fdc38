package lightgbm

// cost is about how many nanoseconds the slots take, as measured on a server of 2023;
// only which way is taken hangs on it.
func (b *stand) cost(slots []*slot) float64 {
	sum := float64(len(b.lanes)) * 1.2
	for _, s := range slots {
		switch {
		case s.marked > 0:
			sum += 40 + 0.23*float64(b.words) + 2*stride/2
		case s.byCode != nil:
			sum += 10 + 0.23*float64(b.words)
		case s.rule == ruleCodes:
			sum += 10 + 4*float64(len(s.sets))
		default:
			sum += 40 + 2*float64(len(s.kills))/2
		}
	}
	return sum
}

// cost is about how many nanoseconds a row takes.
func (p *paths) cost() float64 {
	sum := 3*float64(len(p.inputs)) + 1.2*float64(len(p.at))
	each := 1.5
	if len(p.sets) > 0 {
		each = 8
	}
	for _, r := range p.at {
		sum += each * float64(r.depth)
	}
	return sum
}

// cheaper says whether to walk rather than to ask some slots.
func (b *stand) cheaper(slots []*slot) bool {
	return b.tall || len(b.paths.inputs) <= maxInputs && b.paths.cost() < b.cost(slots)
}
