package train

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"

	"recoup/data"
)

// Judged is what the test slice says about a fitted model, row by row; whoever
// reports it makes the measures and their intervals.
type Judged struct {
	Test        *Scored      // every row of the test slice
	Seen        []bool       // by test row: its customer has rows in the train slice
	Held        *Scored      // the held-out customers' test rows under a fit without them; nil: see HeldWhy
	HeldWhy     string       // why there is no Held
	Calibrators []Calibrated // other maps of the same logits, on the test rows
	Without     []Ablated    // the model less one part, on the test rows
	Warnings    []string
}

// Judge scores the test slice with the model, and with what it is compared to.
// meta are columns to carry along beside the scores.
func Judge(ctx context.Context, t Task, f *Fitted, meta ...string) (*Judged, error) {
	t.Slices = f.Slices
	test, err := t.Table.rows(append(t.columns(), meta...), within(*f.Slices.Of(ForTest)))
	if err != nil {
		return nil, err
	}
	rows, err := t.parts(f.Slices, everybody)
	if err != nil {
		return nil, err
	}
	j := &Judged{}
	if j.Test, err = t.score(logistic(f.Logistic), test, append([]string{colCustomer}, meta...)...); err != nil {
		return nil, err
	}
	j.Test.through(f.Platt)
	if j.Seen, err = t.seen(rows.train, j.Test); err != nil {
		return nil, err
	}
	if j.Calibrators, err = t.calibrators(ctx, f, rows.calibrate, j.Test); err != nil {
		return nil, err
	}
	if err := t.holdOut(ctx, f, j, meta); err != nil {
		return nil, err
	}
	j.Without, err = t.ablate(ctx, f, rows, test)
	return j, err
}

// seen marks the test rows whose customer has rows in the train slice.
func (t Task) seen(train Source, test *Scored) ([]bool, error) {
	known := map[string]bool{}
	for f, err := range train() {
		if err != nil {
			return nil, err
		}
		who := f.Column(colCustomer)
		for _, k := range who.Codes {
			known[who.Dict[k]] = true
		}
	}
	who := test.Meta.Column(colCustomer)
	out := make([]bool, test.Meta.N)
	for i := range out {
		out[i] = known[who.Text(i)]
	}
	return out, nil
}

// HeldOut reports whether a customer is in the fifth that the second fit never
// sees: by a hash of the id, so that he is in it every night.
func HeldOut(customer string) bool {
	h := fnv.New64a()
	h.Write([]byte("recoup held out\x00"))
	h.Write([]byte(customer))
	// FNV's low bits are weak on short keys: fold them through a multiplication (Steele, Lea & Flood 2014).
	z := binary.BigEndian.Uint64(h.Sum(nil))
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return (z^z>>31)%5 == 0
}

// holdOut fits again without the held-out customers, in train and calibrate,
// and scores their test rows: what the model says about people it knows nothing
// of. The penalty is the first fit's.
func (t Task) holdOut(ctx context.Context, f *Fitted, j *Judged, meta []string) error {
	rows, err := t.parts(f.Slices, func(c string) bool { return !HeldOut(c) })
	if err != nil {
		return err
	}
	test, err := t.Table.rows(append(t.columns(), meta...), within(*f.Slices.Of(ForTest)).of(HeldOut))
	if err != nil {
		return err
	}
	n, err := t.describe(test)
	if err != nil {
		return err
	}
	if n.Positives < minPositives || n.Rows-n.Positives < minPositives {
		j.HeldWhy = fmt.Sprintf("%d rows of held-out customers in the test slice, %d of them positive: at least %d positive and %d negative are needed",
			n.Rows, n.Positives, minPositives, minPositives)
		return nil
	}
	m, _, err := t.fit(ctx, f.Logistic.Design, rows.train, Options{L2: f.L2, Workers: t.Workers})
	if err != nil {
		return err
	}
	platt, _, err := t.calibrate(m, rows.calibrate)
	if errors.Is(err, data.ErrUnsafe) { // a weak model's fold may rank backwards: a finding, not a failure
		j.HeldWhy = err.Error()
		return nil
	}
	if err != nil {
		return err
	}
	if j.Held, err = t.score(logistic(m), test, append([]string{colCustomer}, meta...)...); err != nil {
		return err
	}
	j.Held.through(platt)
	return nil
}
