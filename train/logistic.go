package train

import (
	"context"
	"fmt"
	"iter"
	"math"
	"runtime"
	"strings"

	"recoup/data"
	"recoup/models"
)

// Source is a table that can be read again and again: chunks in an order that
// never changes. A frame that was yielded stays as it is until the fit is over.
type Source func() iter.Seq2[*data.Frame, error]

// InMemory is a source of frames that are already there.
func InMemory(frames ...*data.Frame) Source {
	return func() iter.Seq2[*data.Frame, error] {
		return func(yield func(*data.Frame, error) bool) {
			for _, f := range frames {
				if !yield(f, nil) {
					return
				}
			}
		}
	}
}

// Options of a fit. The zero value is no penalty.
type Options struct {
	L2             float64 // the penalty is L2/2 times the sum of squared coefficients, the intercept free
	Standardize    bool    // penalise coefficients of standardised columns, else the raw ones
	Workers        int     // 0 = one a processor; the result does not depend on it
	Hold           int64   // bytes of rows that may be kept in memory between passes; 0 = 128 MiB, negative = none
	StandardErrors bool    // fill Fit.StdErr: one more pass over a large table
}

// Fit says how a fit went.
type Fit struct {
	Rows              int64            `json:"rows"`
	RowsUsed          int64            `json:"rows_used"` // weight > 0
	Positives         int64            `json:"positives"` // of the rows used
	WeightSum         float64          `json:"weight_sum"`
	WeightedPositives float64          `json:"weighted_positives"`
	L2                float64          `json:"l2"`
	Standardize       bool             `json:"standardize"`
	NLL               float64          `json:"nll"`       // sum of weighted log losses at the optimum
	Objective         float64          `json:"objective"` // with the penalty
	LogitAtMean       float64          `json:"logit_at_mean"`
	Iterations        int              `json:"iterations"`                // steps of the search
	Passes            int              `json:"passes"`                    // times the table was read
	GradInf           float64          `json:"grad_inf"`                  // largest entry of the objective's gradient, standardised coordinates
	Condition         float64          `json:"condition"`                 // of the Hessian there (of its estimate from a sample of rows where no exact one was needed)
	StdErr            []float64        `json:"std_err,omitempty"`         // by column, raw scale, 0 for a dropped one; from the inverse Hessian, penalty included
	StdErrAtMean      float64          `json:"std_err_at_mean,omitempty"` // of LogitAtMean
	Dropped           []models.Dropped `json:"dropped"`
}

// Logistic finds the exact minimum of
//
//	sum w*[ln(1+exp(z)) - y*z] + L2/2 * sum q^2,   z = intercept + sum coef*column
//
// where q are the coefficients of standardised columns (weighted mean and
// population standard deviation) or the raw ones. target names a column of zeros and
// ones; weight names the weights, "" = 1 each. Rows of weight 0 are counted and
// otherwise ignored.
//
// Constant columns are left out and recorded. Without a penalty, columns that are
// linear combinations of others and classes that a combination of columns
// separates have no finite optimum of their own: both are refused by name. Missing and
// infinite values and unknown levels are refused with their line.
//
// The table is read in chunks, a few times; memory does not grow with it. Sums
// are added in a fixed order, so the result is the same bytes for any number of workers.
func Logistic(ctx context.Context, d models.Design, src Source, target, weight string, o Options) (*models.Logistic, Fit, error) {
	if !(o.L2 >= 0 && o.L2 <= math.MaxFloat64) {
		return nil, Fit{}, data.Faultf(data.ErrUsage, "train: logistic: l2 = %v: a number >= 0 is wanted", o.L2)
	}
	layout, err := d.Layout()
	if err != nil {
		return nil, Fit{}, err
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Hold == 0 {
		o.Hold = 128 << 20
	}
	r := newRows(d, layout, src, target, weight, o)
	m, err := r.measure(ctx)
	if err != nil {
		return nil, Fit{}, err
	}
	fit := Fit{Rows: r.all, RowsUsed: m.n1 + m.n0, Positives: m.n1, WeightSum: m.w1 + m.w0, WeightedPositives: m.w1, L2: o.L2, Standardize: o.Standardize}
	switch {
	case fit.RowsUsed == 0:
		return nil, fit, data.Faultf(data.ErrTooLittle, "train: logistic: no rows to fit")
	case m.n1 == 0 || m.n0 == 0:
		return nil, fit, data.Faultf(data.ErrTooLittle, "train: logistic: the target %s has one class: all %d rows are %d", target, fit.RowsUsed, min(m.n1, 1))
	}
	s, err := newShape(d, layout, m)
	if err != nil {
		return nil, fit, err
	}
	fit.Dropped = s.dropped
	if s.active() == 0 {
		return nil, fit, data.Faultf(data.ErrContract, "train: logistic: no column left to fit: %s constant", isAre(s.dropped))
	}
	p := newProblem(r, s, m, o)
	if o.L2 == 0 {
		if err := m.oneClassLevel(d, layout); err != nil {
			return nil, fit, err
		}
	}
	best, err := p.search(ctx)
	if err != nil {
		return nil, fit, err
	}
	if err := p.report(ctx, best, o.StandardErrors, &fit); err != nil {
		return nil, fit, err
	}
	model, err := s.model(d, layout, best.t, m)
	return model, fit, err
}

func isAre(d []models.Dropped) string {
	var names []string
	for _, c := range d {
		names = append(names, c.Column)
	}
	if len(names) == 1 {
		return names[0] + " is"
	}
	return fmt.Sprintf("%s are", strings.Join(names, ", "))
}
