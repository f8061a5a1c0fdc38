package train

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recoup/data"
	"recoup/features"
	"recoup/models"
)

// Rows by level and the range over all chunks, whatever the order of a chunk's
// dictionary; the candidate's columns and what no row shows are left out.
func TestSeen(t *testing.T) {
	s := features.Schema{Columns: []features.Column{
		{Name: "bank", Levels: []string{"unknown", "a", "b"}}, {Name: "amount"}, {Name: "hour", Candidate: true},
		{Name: "action", Candidate: true, Levels: []string{"unknown", "retry"}}}}
	chunk := func(dict []string, codes []uint32, amount ...float64) *data.Frame {
		return &data.Frame{N: len(codes), Columns: []data.Column{
			{Name: "bank", Kind: data.String, Dict: dict, Codes: codes}, {Name: "amount", Kind: data.Float64, F: amount},
			{Name: "hour", Kind: data.Float64, F: amount}, {Name: "action", Kind: data.String, Dict: []string{"retry"}, Codes: make([]uint32, len(codes))}}}
	}
	got, err := seen(s, InMemory(chunk([]string{"b", "a"}, []uint32{0, 0, 1}, 2, -3, 1), chunk([]string{"not used", "unknown", "b"}, []uint32{2, 1}, 0, 7)))
	if err != nil {
		t.Fatal(err)
	}
	want := &models.Seen{Rows: 5, Inputs: []models.SeenInput{
		{Name: "bank", Rows: []int64{1, 1, 3}}, {Name: "amount", Range: &models.Interval{-3, 7}, Cuts: &models.Cuts{At: []float64{-3, 0, 1, 2}, Rows: []int64{1, 1, 1, 1, 1}}}, {Name: "hour"}, {Name: "action"}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, err := seen(s, InMemory(chunk([]string{"c"}, []uint32{0}, 1))); !errors.Is(err, data.ErrContract) || !strings.Contains(err.Error(), `"c"`) {
		t.Errorf("a level outside the schema: %v", err)
	}
}

// A thinned column has every k-th value of all that came, and no more than it may.
func TestThinned(t *testing.T) {
	var s thinned
	for n := range 5 * tenthsOf {
		s.add([]float64{float64(n)})
	}
	if len(s.kept) > tenthsOf || len(s.kept) < tenthsOf/2 || s.every != 8 {
		t.Fatalf("%d kept, every %d", len(s.kept), s.every)
	}
	for i, v := range s.kept {
		if v != float64(i*s.every) {
			t.Fatalf("kept[%d] is %v", i, v)
		}
	}
}
