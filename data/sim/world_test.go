package sim

import (
	"context"
	"testing"

	"recoup/data"
)

func TestLook(t *testing.T) {
	for _, b := range Behaviours() {
		c := Config{Seed: 1, Cases: 20000, Start: data.IST(2025, 1, 1, 0, 0), Months: 14}
		s, err := Run(context.Background(), c, b, func(*Batch) error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s first %.3f %v", b.ID, s.FirstFailed, s.Reasons[:8])
		t.Logf("recov %+v", s.Recovery)
		t.Logf("truth %+v auc %.4f", s.Truth, *s.Truth.AUC)
	}
}
