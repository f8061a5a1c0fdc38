package bandit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"

	"recoup/data"
)

// logisticFile is a Logistic as JSON. Matrices are row after row.
type logisticFile struct {
	Version   int         `json:"version"`
	Keep      float64     `json:"keep"`
	At        data.Micros `json:"at"`
	First     []float64   `json:"prior_precision"`
	Start     []float64   `json:"prior_precision_times_mean"`
	Precision []float64   `json:"precision"`
	Weight    []float64   `json:"precision_times_mean"`
}

// Encode writes the posterior as JSON: the same state, the same bytes.
func (l *Logistic) Encode() ([]byte, error) {
	out, err := json.Marshal(logisticFile{stateVersion, l.keep, l.at, l.first, l.start, l.prec, l.weight})
	if err != nil {
		return nil, fmt.Errorf("bandit: state: %w", err)
	}
	return append(out, '\n'), nil
}

// Version names what the posterior has learned, as that of a Posterior does.
func (l *Logistic) Version() string {
	b, err := l.Encode()
	if err != nil {
		panic(err) // finite numbers alone
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])[:12]
}

// DecodeLogistic reads what Encode wrote, and refuses everything else.
func DecodeLogistic(text []byte) (*Logistic, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	var f logisticFile
	if err := d.Decode(&f); err != nil {
		return nil, data.Faultf(data.ErrContract, "bandit: state: %w", err)
	}
	n := len(f.Start)
	switch {
	case f.Version != stateVersion || d.More():
		return nil, data.Faultf(data.ErrContract, "bandit: state: version %d: expected one object of version %d", f.Version, stateVersion)
	case n == 0 || len(f.Weight) != n || len(f.First) != n*n || len(f.Precision) != n*n || !(f.Keep > 0 && f.Keep <= 1):
		return nil, data.Faultf(data.ErrContract, "bandit: state: %d, %d, %d and %d numbers, keep %v: expected n, n, n times n twice, and a share", n, len(f.Weight), len(f.First), len(f.Precision), f.Keep)
	}
	l := &Logistic{f.Keep, f.First, f.Precision, f.Start, f.Weight, f.At}
	for _, m := range [][]float64{l.first, l.prec} {
		for i := range n {
			for j := range i {
				if m[i*n+j] != m[j*n+i] {
					return nil, data.Faultf(data.ErrContract, "bandit: state: a precision is not symmetric at %d, %d", i, j)
				}
			}
		}
		if _, ok := cholesky(m, n); !ok {
			return nil, data.Faultf(data.ErrContract, "bandit: state: a precision is not positive definite")
		}
	}
	for i := range n {
		if math.IsNaN(l.start[i]) || math.IsInf(l.weight[i], 0) {
			return nil, data.Faultf(data.ErrContract, "bandit: state: number %d is not finite", i)
		}
	}
	return l, nil
}
