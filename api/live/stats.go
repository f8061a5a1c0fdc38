package live

import "recoup/data"

// Stats count the present and the last StatsDays days of the book, by known_at.
type Stats struct {
	AsOf      data.Micros // the latest known_at
	Open      int         // cases owed
	Standing  int         // decisions that stand
	Queue     int         // escalations without a result
	Unknown   int         // attempts whose outcome nobody knows
	Events    int64       // since the desk was opened, the rebuild's apart
	Decisions int64       // of the last StatsDays
	ByArm     [data.ArmControl + 1]int64
	Fallback  int64       // decided by the rules because the assigned arm could not
	Lag       data.Micros // median of known_at of an outcome less that of its decision; 0 = no outcome
	Matured   int64       // decisions with an outcome whose window is closed
	Bins      [10]Bin     // of the matured ones: what was predicted against what came
	// Recent are the rows of the attempt model of the latest decisions that chose a
	// retry, with their P, at most RecentRows, oldest first.
	Recent []Scored
}

// Bin is a tenth of the probabilities, [k/10, (k+1)/10).
type Bin struct {
	N, Recovered int64
	P            float64 // sum
}

// Scored is a row that a model was asked and what it said.
type Scored struct {
	ModelID string
	Row     []float64
	P       float64
}

// The bounds of Stats.
const (
	StatsDays  = 30
	RecentRows = 2000
)

// Stats are the numbers of now.
func (d *Desk) Stats() Stats { return Stats{} }
