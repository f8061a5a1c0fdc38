package razorpay

import (
	"errors"
	"testing"

	"recoup/data"
)

// checkValid holds rows against the log's own checks.
func checkValid(t testing.TB, name string, r *Rows) {
	t.Helper()
	w, err := data.NewWriter(t.TempDir(), data.WriteOptions{Currency: "INR"})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	if err := addRows(w, r); err != nil {
		t.Errorf("%s: %v", name, err)
	}
}

func addRows(w *data.Writer, r *Rows) error {
	return errors.Join(data.Add(w, r.Attempts...), data.Add(w, r.CaseEvents...), data.Add(w, r.Subscriptions...),
		data.Add(w, r.Mandates...), data.Add(w, r.Notices...), data.Add(w, r.Downtimes...))
}
