package sim

import (
	"slices"

	"recoup/data"
)

// Summary is what a run made, with the measures a reader checks a world by.
type Summary struct {
	Cases       int           `json:"cases"`
	Customers   int           `json:"customers"`
	Charges     int           `json:"charges"`
	FirstFailed float64       `json:"first_charge_failure_rate"`
	Reasons     []ReasonShare `json:"first_failure_reasons"`
	Retries     int           `json:"retries"`
	Captured    int           `json:"retries_captured"`
	Recovery    Recovery      `json:"recovery_21d"`
	Truth       Truth         `json:"truth"`
	Policy      string        `json:"policy"`
	Seed        uint64        `json:"seed"`
	Start       string        `json:"start"`
	End         string        `json:"end"`
	Rows        Rows          `json:"rows"`

	tally Tally
	ranks histogram
}

// ReasonShare is a reported reason's share of the first failures.
type ReasonShare struct {
	Reason string  `json:"reason"`
	N      int     `json:"n"`
	Share  float64 `json:"share"`
}

// Recovery is how cases were paid within 21 days of the first failure, among
// those whose 21 days are over by the end of the log.
type Recovery struct {
	Cases   int     `json:"cases"`
	ByRetry float64 `json:"by_retry"`
	ByCure  float64 `json:"by_customer"`
	ByLate  float64 `json:"by_late_authorisation"`
	All     float64 `json:"all"`
}

// Truth describes p_true of the executed retries.
type Truth struct {
	N         int      `json:"n"`
	BaseRate  float64  `json:"base_rate"`
	MeanP     float64  `json:"mean_p_true"`
	AUC       *float64 `json:"roc_auc"` // null without both outcomes
	BrierBase float64  `json:"brier_base_rate"`
	BrierTrue float64  `json:"brier_p_true"`
}

// Rows counts what was written.
type Rows struct {
	Attempts      int `json:"attempts"`
	CaseEvents    int `json:"case_events"`
	Subscriptions int `json:"subscriptions"`
	Mandates      int `json:"mandates"`
	Notices       int `json:"notices"`
	Polls         int `json:"polls"`
	Promises      int `json:"promises"`
	Downtimes     int `json:"downtimes"`
	Decisions     int `json:"decisions"`
	Outcomes      int `json:"outcomes"`
	Candidates    int `json:"oracle_candidates"`
	Cures         int `json:"oracle_cures"`
}

func newSummary(c Config, b Behaviour, w *world) *Summary {
	return &Summary{Policy: b.ID, Seed: c.Seed, Start: w.start.String(), End: w.end.String()}
}

// fold adds a batch.
func (s *Summary) fold(b *Batch) {
	s.tally.add(&b.Tally)
	r := &s.Rows
	r.Attempts += len(b.Attempts)
	r.CaseEvents += len(b.CaseEvents)
	r.Subscriptions += len(b.Subscriptions)
	r.Mandates += len(b.Mandates)
	r.Notices += len(b.Notices)
	r.Polls += len(b.Polls)
	r.Promises += len(b.Promises)
	r.Downtimes += len(b.Downtimes)
	r.Decisions += len(b.Decisions)
	r.Outcomes += len(b.Outcomes)
	r.Candidates += len(b.Candidates)
	r.Cures += len(b.Cures)
	for i := range b.Candidates {
		if c := &b.Candidates[i]; c.AttemptID != "" {
			s.ranks.add(c.PTrue, c.Outcome)
		}
	}
}

// finish derives the shares from the counts.
func (s *Summary) finish() {
	t := &s.tally
	s.Cases, s.Customers, s.Charges, s.Retries, s.Captured = t.Cases(), t.Customers, t.Charges, t.Retries, t.Captured
	s.FirstFailed = share(s.Cases, s.Charges)
	s.Reasons = s.Reasons[:0]
	for _, r := range data.Reasons() {
		if n := t.Failed[r]; n > 0 {
			s.Reasons = append(s.Reasons, ReasonShare{r.String(), n, share(n, s.Cases)})
		}
	}
	slices.SortStableFunc(s.Reasons, func(a, b ReasonShare) int { return b.N - a.N })
	s.Recovery = Recovery{Cases: t.Mature, ByRetry: share(t.Roads[byRetry], t.Mature), ByCure: share(t.Roads[byCure], t.Mature),
		ByLate: share(t.Roads[byLate], t.Mature), All: share(t.Mature-t.Roads[unpaid], t.Mature)}
	s.Truth = s.ranks.truth()
}

func share(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// histogram holds p_true by outcome in narrow bins, enough for an AUC to 1e-4.
type histogram struct {
	bins  [2][10001]int
	n     [2]int
	sum   float64 // of p
	brier float64
}

func (h *histogram) add(p float64, y bool) {
	i, t := 0, 0.0
	if y {
		i, t = 1, 1.0
	}
	h.bins[i][int(p*10000)]++
	h.n[i]++
	h.sum += p
	h.brier += (p - t) * (p - t)
}

func (h *histogram) truth() Truth {
	n := h.n[0] + h.n[1]
	if n == 0 {
		return Truth{}
	}
	base := share(h.n[1], n)
	t := Truth{N: n, BaseRate: base, MeanP: h.sum / float64(n), BrierBase: base * (1 - base), BrierTrue: h.brier / float64(n)}
	if h.n[0] > 0 && h.n[1] > 0 {
		below, wins := 0, 0.0 // failures in lower bins
		for i := range h.bins[0] {
			wins += float64(h.bins[1][i]) * (float64(below) + float64(h.bins[0][i])/2)
			below += h.bins[0][i]
		}
		auc := wins / float64(h.n[0]) / float64(h.n[1])
		t.AUC = &auc
	}
	return t
}
