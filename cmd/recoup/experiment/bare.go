package experiment

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"math"
	"path/filepath"
	"slices"

	"recoup/data"
	"recoup/features"
	"recoup/models"
	"recoup/train"
)

// A bare model is what fewer rows give than a night accepts: no slice to calibrate on, no
// test, no promotion. Nobody should deploy one. It says where the model would begin to
// pay, below the sizes at which it can be shown to.

// penalties are those that a bare model chooses from, a row, strongest first.
var penalties = []float64{.3, .1, .03, .01, .003, .001, .0003}

// bare fits on the tables of a night that refused them. The penalty is the one whose fit on
// the first three quarters of the rows loses least on the last; then all rows are fitted.
func (j *job) bare(ctx context.Context, dir string) (*models.Bundle, error) {
	attempt, err := j.bareModel(ctx, dir, features.AttemptsFile, features.AttemptSchema(), "")
	if err != nil {
		return nil, err
	}
	cure, err := j.bareModel(ctx, dir, features.PeriodsFile, features.CureSchema(), "exposure")
	if err != nil && !errors.Is(err, data.ErrTooLittle) {
		return nil, err
	}
	why := ""
	if cure == nil {
		why = err.Error()
	}
	return j.bareBundle(filepath.Base(dir), attempt, cure, why), nil // the folder's name is a hash of all that it is made of
}

func (j *job) bareModel(ctx context.Context, dir, name string, s features.Schema, weight string) (*models.Scorer, error) {
	path, err := tableOf(dir, name)
	if err != nil {
		return nil, err
	}
	f, err := data.OpenFrames(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	columns := []string{"y"}
	for _, c := range s.Columns {
		columns = append(columns, c.Name)
	}
	if weight != "" {
		columns = append(columns, weight)
	}
	if f.Rows() < 40 {
		return nil, data.Faultf(data.ErrTooLittle, "experiment: %s: %d rows: expected 40 or more", path, f.Rows())
	}
	d, cut := wholeDesign(s), f.Rows()/4*3
	fit := func(src train.Source, rows int64, penalty float64) (*models.Logistic, error) {
		m, _, err := train.Logistic(ctx, d, src, "y", weight, train.Options{L2: penalty * float64(rows), Standardize: true, Workers: j.Workers})
		return m, err
	}
	whole := func() iter.Seq2[*data.Frame, error] { return f.Frames(columns...) }
	best, least := penalties[0], math.Inf(1)
	for _, penalty := range penalties {
		m, err := fit(someRows(whole, 0, cut), cut, penalty)
		if err != nil {
			return nil, fmt.Errorf("experiment: %s: %w", path, err)
		}
		loss, err := meanLoss(m, someRows(whole, cut, f.Rows()), weight)
		if err != nil {
			return nil, err
		}
		if loss < least {
			best, least = penalty, loss
		}
	}
	m, err := fit(whole, f.Rows(), best)
	return &models.Scorer{Logistic: m, Platt: models.Platt{A: -1}}, err
}

// knowsNothing is a model that has learned nothing: every retry has one chance in two, and
// nobody pays by himself.
func (j *job) knowsNothing() (*lesson, error) {
	d := wholeDesign(features.AttemptSchema())
	l, err := d.Layout()
	if err != nil {
		return nil, err
	}
	n := len(l.Columns)
	m, err := models.NewLogistic(d, 0, make([]float64, n), make([]float64, n), make([]float64, n), slices.Repeat([]float64{1}, n), nil)
	if err != nil {
		return nil, err
	}
	return &lesson{Why: "nothing was learned", Bare: j.bareBundle("nothing", &models.Scorer{Logistic: m, Platt: models.Platt{A: -1}}, nil, "nothing was learned")}, nil
}

// bareBundle makes one of its two models. of names what it was made of.
func (j *job) bareBundle(of string, attempt, cure *models.Scorer, noCure string) *models.Bundle {
	sum := sha256.Sum256([]byte("bare " + of))
	return &models.Bundle{ID: models.ID(hex.EncodeToString(sum[:8])), Attempt: attempt, Cure: cure, Manifest: models.Manifest{AsOf: j.Start.String(), Currency: "INR", HorizonDays: train.Days,
		AttemptSchema: features.AttemptSchema().Fingerprint(), CureSchema: features.CureSchema().Fingerprint(), CureNotAssessed: noCure}}
}

// meanLoss is the mean log loss of a model's margins.
func meanLoss(m *models.Logistic, src train.Source, weight string) (float64, error) {
	z, y, w, err := train.Margins(m, src, "y", weight)
	if err != nil {
		return 0, err
	}
	sum, all := 0.0, 0.0
	for i, f := range z {
		if y[i] == 1 {
			f = -f
		}
		one := 1.0
		if w != nil {
			one = w[i]
		}
		sum += float64(one * (max(f, 0) + math.Log1p(math.Exp(-math.Abs(f)))))
		all += one
	}
	return sum / all, nil
}

// wholeDesign is every column alone and every block, the first level of each category
// the usual one.
func wholeDesign(s features.Schema) models.Design {
	d := models.Design{}
	for i, c := range s.Columns {
		d.Inputs, d.Terms = append(d.Inputs, models.Input{Name: c.Name, Levels: c.Levels}), append(d.Terms, models.Term{Name: c.Group, A: i, B: -1})
	}
	for _, b := range s.Blocks {
		d.Terms = append(d.Terms, models.Term{Name: b.Name, A: s.Index(b.A), B: s.Index(b.B)})
	}
	return d
}

// tableOf finds a table of a night's folder, in which one night alone has worked.
func tableOf(dir, name string) (string, error) {
	found, err := filepath.Glob(filepath.Join(dir, "features", "*", name))
	if err == nil && len(found) != 1 {
		err = fmt.Errorf("experiment: %s: %d tables %s: expected one", dir, len(found), name)
	}
	if err != nil {
		return "", err
	}
	return found[0], nil
}
