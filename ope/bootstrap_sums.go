package ope

// A piece is one column of sums over the rows of a cluster. Every method is a ratio
// or a sum of ratios of pieces, so that a draw needs their sums alone.
type piece struct {
	kind   pieceKind
	shape  Shape
	lambda float64
}

type pieceKind uint8

const (
	rows       pieceKind = iota // 1
	rewards                     // r
	weightSum                   // w
	matches                     // m
	directs                     // qbar
	weighted                    // r s, s the shaped weight
	matched                     // r m
	correction                  // s (r - q)
)

var rowCount, rewardSum = piece{kind: rows}, piece{kind: rewards}

// pieces are what a method is made of: numerator, its normaliser, and whether qbar is added.
func (m Method) pieces() (num, den piece, direct bool) {
	switch m.Family {
	case Direct:
		return piece{kind: directs}, rowCount, false
	case Weighted:
		return piece{weighted, m.Shape, m.Lambda}, rowCount, false
	case Normalised:
		return piece{kind: weighted}, piece{kind: weightSum}, false
	case DoublyRobust:
		return piece{correction, m.Shape, m.Lambda}, rowCount, true
	case NormalisedDR:
		return piece{kind: correction}, piece{kind: weightSum}, true
	default:
		return piece{kind: matched}, piece{kind: matches}, false
	}
}

// of is the piece of row i.
func (p piece) of(b *base, i int) float64 {
	m := Method{Shape: p.shape, Lambda: p.lambda}
	switch p.kind {
	case rows:
		return 1
	case rewards:
		return b.rows.Reward[i]
	case weightSum:
		return b.w[i]
	case matches:
		return b.match(i)
	case directs:
		return b.qbar[i]
	case weighted:
		return b.rows.Reward[i] * m.shaped(b.w[i])
	case matched:
		return b.rows.Reward[i] * b.match(i)
	default:
		return m.shaped(b.w[i]) * (b.rows.Reward[i] - b.q[i])
	}
}

// clusterSums are the pieces added up by cluster. Columns stand in blocks of width,
// each block cluster by cluster.
type clusterSums struct {
	groups int
	at     map[piece]int
	blocks [][]float64 // [blocks][groups*width]
}

// width is how many columns the inner loop adds at once: as many as the registers
// of a processor hold beside the count.
const width = 7

func (b *base) clusterSums(methods []Method) *clusterSums {
	s := &clusterSums{groups: b.groups, at: map[piece]int{}}
	if b.groups == 0 {
		s.groups = b.rows.Len()
	}
	s.addPiece(b, rowCount)
	s.addPiece(b, rewardSum)
	for _, m := range methods {
		num, den, direct := m.pieces()
		s.addPiece(b, num)
		s.addPiece(b, den)
		if direct {
			s.addPiece(b, piece{kind: directs})
		}
	}
	return s
}

func (s *clusterSums) addPiece(b *base, p piece) {
	if _, ok := s.at[p]; ok {
		return
	}
	k := len(s.at)
	s.at[p] = k
	if k%width == 0 {
		s.blocks = append(s.blocks, make([]float64, s.groups*width))
	}
	block := s.blocks[k/width]
	for i := range b.rows.Len() {
		g := i
		if b.groups > 0 {
			g = int(b.rows.Cluster[i])
		}
		block[g*width+k%width] += p.of(b, i)
	}
}

func (s *clusterSums) column(p piece) int { return s.at[p] }

// value is the estimate of a method from the sums of a draw; NaN without weight.
func (s *clusterSums) value(m Method, sums []float64) float64 {
	num, den, direct := m.pieces()
	v := sums[s.at[num]] / sums[s.at[den]]
	if direct {
		v += sums[s.at[piece{kind: directs}]] / sums[s.at[rowCount]]
	}
	return v
}
