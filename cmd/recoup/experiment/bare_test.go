package experiment

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"recoup/data"
	"recoup/train"
)

// TestRefused: what a night refuses is said, and gives a bare model all the same: the same
// one twice, with a penalty of the list; an arm can play it.
func TestRefused(t *testing.T) {
	c := small(t.TempDir())
	c.TrainMonth = 4
	j := &job{Config: c}
	var before string
	for range 2 {
		l, err := j.train(context.Background(), course{Log: Explorer, Cases: 150})
		if err != nil {
			t.Fatal(err)
		}
		if l.Bundle != nil || l.Bare == nil || !strings.Contains(l.Why, "too few") || strings.Contains(l.Why, "train:") || strings.Contains(l.Why, "give a longer log") {
			t.Fatalf("%+v", l)
		}
		text, err := json.Marshal(l.Bare.Attempt.Logistic)
		if err != nil {
			t.Fatal(err)
		}
		if before != "" && string(text) != before {
			t.Error("another model the second time")
		}
		before = string(text)
		if _, err := PlayerOf(Model, j.policy(), l.Bare); err != nil {
			t.Error(err)
		}
		sum := 0.0
		for _, v := range l.Bare.Attempt.Logistic.Coef {
			sum += math.Abs(v)
		}
		if sum == 0 {
			t.Error("nothing was learned")
		}
	}
}

// TestSomeRows: both ends, within a chunk and over chunks.
func TestSomeRows(t *testing.T) {
	chunk := func(first int64, v ...float64) *data.Frame {
		return &data.Frame{N: len(v), First: first, Columns: []data.Column{{Name: "v", Kind: data.Float64, F: v}}}
	}
	src := train.InMemory(chunk(0, 0, 1, 2), chunk(3, 3, 4), chunk(5, 5))
	for _, x := range []struct {
		from, to int64
		want     []float64
	}{{0, 6, []float64{0, 1, 2, 3, 4, 5}}, {0, 3, []float64{0, 1, 2}}, {1, 4, []float64{1, 2, 3}}, {3, 5, []float64{3, 4}}, {5, 9, []float64{5}}, {2, 2, nil}} {
		var got []float64
		for f, err := range someRows(src, x.from, x.to)() {
			if err != nil || f.N != len(f.Columns[0].F) || int64(f.Columns[0].F[0]) != f.First {
				t.Fatalf("%+v, %v", f, err)
			}
			got = append(got, f.Columns[0].F...)
		}
		if len(got) != len(x.want) {
			t.Fatalf("%d to %d: %v", x.from, x.to, got)
		}
		for i := range got {
			if got[i] != x.want[i] {
				t.Errorf("%d to %d: %v", x.from, x.to, got)
			}
		}
	}
}
