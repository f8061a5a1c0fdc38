package train

import (
	"context"
	"math"

	"recoup/data"
	"recoup/models"
)

// Trial is one penalty and how the fit under it did on the select slice.
type Trial struct {
	L2      float64  `json:"l2"`
	LogLoss *float64 `json:"log_loss"` // mean, weighted; nil = no fit
	Why     string   `json:"why,omitempty"`
	Chosen  bool     `json:"chosen"`
}

// path are the penalties tried, strongest first, as shares of the training rows:
// the penalty per row is then the same whatever the length of the log.
var path = [...]float64{3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-6}

// choose tries the path and takes the penalty of the least log loss on the
// select slice; of equals the stronger. Log loss, not Brier, because the
// coefficients maximise it.
func (t Task) choose(ctx context.Context, d models.Design, rows sources, n int64) (float64, []Trial, error) {
	trials := make([]Trial, len(path))
	best, at := math.Inf(1), -1
	for i, share := range path {
		trials[i].L2 = share * float64(n)
		m, _, err := t.fit(ctx, d, rows.train, Options{L2: trials[i].L2, Workers: t.Workers})
		if err != nil {
			if ctx.Err() != nil {
				return 0, nil, err
			}
			trials[i].Why = err.Error()
			continue
		}
		s, err := t.score(logistic(m), rows.pick)
		if err != nil {
			return 0, nil, err
		}
		loss := s.logLoss()
		trials[i].LogLoss = &loss
		if loss < best {
			best, at = loss, i
		}
	}
	if at < 0 {
		return 0, nil, data.Faultf(data.ErrTooLittle, "train: %s: no penalty gave a fit: %s", t.Table.Name, trials[0].Why)
	}
	trials[at].Chosen = true
	return trials[at].L2, trials, nil
}

// logLoss is the weighted mean of ln(1+exp(-f)) over positives and ln(1+exp(f)) over negatives.
func (s *Scored) logLoss() float64 {
	var sum, w models.Sum
	for i, f := range s.F {
		z := f
		if s.Y[i] == 1 {
			z = -f
		}
		m := 1.0
		if s.W != nil {
			m = s.W[i]
		}
		sum.Add(float64(m * softplus(z)))
		w.Add(m)
	}
	return sum.Value() / w.Value()
}

// softplus is ln(1+exp(z)) without overflow.
func softplus(z float64) float64 { return max(z, 0) + math.Log1p(math.Exp(-math.Abs(z))) }
