package models

import "math"

// Bin is a group of rows with neighbouring p.
type Bin struct {
	Rows   int     `json:"rows"`
	Weight float64 `json:"weight"`
	Eff    float64 `json:"eff"`    // effective rows: (sum w)^2 / sum w^2
	MeanP  float64 `json:"mean_p"` // weighted
	Rate   float64 `json:"rate"`   // weighted mean outcome
	Lo     float64 `json:"lo"`     // smallest p
	Hi     float64 `json:"hi"`     // largest p
	// Wilson is the 95 % interval of Rate, treating rows as independent and a weighted
	// bin as Eff rows; nil never occurs, a bin has at least one row.
	Wilson Interval `json:"wilson"`

	from, to int // rows of scores
}

// massCuts cuts n rows into k bins of equal count, the first n mod k one row
// larger; every row of a run of equal p goes where the run's first row goes. It
// calls bin for each that has rows.
func (s *scores) massCuts(k int, bin func(from, to int)) {
	n := len(s.p)
	at := massBin{n / k, n % k}
	from, current := 0, 0
	for i := 0; i < n; i = s.run(i) {
		if b := at.of(i); b != current {
			if i > from {
				bin(from, i)
			}
			from, current = i, b
		}
	}
	bin(from, n)
}

// massBin places sorted row i: the first r bins hold q+1 rows, the others q.
type massBin struct{ q, r int }

func (m massBin) of(i int) int {
	if big := m.r * (m.q + 1); i >= big {
		return m.r + (i-big)/m.q // q > 0 here, since i < n
	}
	return i / (m.q + 1)
}

// widthCuts cuts at the float64 quotients i/k, [lo, hi), the last bin closed.
func (s *scores) widthCuts(k int, bin func(from, to int)) {
	from, b := 0, 0
	for i, p := range s.p {
		at := b
		for at < k-1 && p >= float64(at+1)/float64(k) {
			at++
		}
		if at != b && i > from {
			bin(from, i)
			from = i
		}
		b = at
	}
	bin(from, len(s.p))
}

func (s *scores) bins(k int, cuts func(int, func(from, to int))) []Bin {
	var out []Bin
	cuts(k, func(from, to int) {
		b := Bin{Rows: to - from, Lo: s.p[from], Hi: s.p[to-1], from: from, to: to}
		var w, wp, wy, w2 Sum
		for i := from; i < to; i++ {
			w.Add(s.w[i])
			wp.Add(s.w[i] * s.p[i])
			wy.Add(s.w[i] * s.y[i])
			w2.Add(s.w[i] * s.w[i])
		}
		b.Weight = w.Value()
		b.MeanP, b.Rate, b.Eff = wp.Value()/b.Weight, wy.Value()/b.Weight, b.Weight*b.Weight/w2.Value()
		lo, hi, _ := Wilson(b.Rate*b.Eff, b.Eff)
		b.Wilson = Interval{lo, hi}
		out = append(out, b)
	})
	return out
}

// binned fills what is measured over bins.
func (m *Metrics) binned(s *scores, k int) {
	mass := s.bins(k, s.massCuts)
	m.ECEMass, m.MCEMass = gaps(mass, s.total)
	m.ECEMassBins = len(mass)
	width := s.bins(k, s.widthCuts)
	m.ECEWidth, _ = gaps(width, s.total)
	m.ECEWidthBins = len(width)
	m.CalL2 = debiased(s.bins(15, s.massCuts), s.total)
	m.murphy(s, mass)
	var sd Sum
	for _, p := range s.p {
		sd.Add(math.Sqrt(p * (1 - p)))
	}
	n := float64(len(s.p))
	m.NoiseFloor = math.Sqrt(2*float64(k)/(math.Pi*n)) * sd.Value() / n
}

// gaps are the weighted mean and the largest of |Rate - MeanP|.
func gaps(bins []Bin, total float64) (mean, largest float64) {
	var t Sum
	for _, b := range bins {
		g := math.Abs(b.Rate - b.MeanP)
		t.Add(b.Weight / total * g)
		largest = max(largest, g)
	}
	return t.Value(), largest
}

// debiased is the root of the mean squared gap less what noise alone would add
// (Kumar, Liang & Ma 2019); bins of fewer than 2 effective rows are left out.
func debiased(bins []Bin, total float64) float64 {
	var t Sum
	for _, b := range bins {
		if b.Eff < 2 {
			continue
		}
		g := b.Rate - b.MeanP
		t.Add(b.Weight / total * (g*g - b.Rate*(1-b.Rate)/(b.Eff-1)))
	}
	return math.Sqrt(max(0, t.Value()))
}

// murphy fills the decomposition of Murphy 1973 with the within-bin terms of
// Stephenson, Coelho & Jolliffe 2008, which make it exact.
func (m *Metrics) murphy(s *scores, bins []Bin) {
	var rel, res, wbv, wbc Sum
	for _, b := range bins {
		g, d := b.MeanP-b.Rate, b.Rate-s.rate
		rel.Add(b.Weight * g * g)
		res.Add(b.Weight * d * d)
		for i := b.from; i < b.to; i++ {
			e := s.p[i] - b.MeanP
			wbv.Add(s.w[i] * e * e)
			wbc.Add(s.w[i] * (s.y[i] - b.Rate) * e)
		}
	}
	m.Reliability, m.Resolution = rel.Value()/s.total, res.Value()/s.total
	m.Uncertainty = s.rate * (1 - s.rate)
	m.WBV, m.WBC = wbv.Value()/s.total, 2*wbc.Value()/s.total
}

// ReliabilityBins are the points of a reliability picture: equal-count bins
// (mass) and bins of equal width, k of each where rows allow, in ascending
// order of p. Arguments as in Evaluate.
func ReliabilityBins(p, y, w []float64, k int) (mass, width []Bin, err error) {
	s, _, err := newScores(p, y, w)
	if err != nil {
		return nil, nil, err
	}
	return s.bins(k, s.massCuts), s.bins(k, s.widthCuts), nil
}
