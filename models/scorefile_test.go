package models

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recoup/data"
)

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rows.csv")
	must(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

// A file of rows gives, bit for bit, what the rows give one by one: columns in
// any order, and columns that are no features beside them.
func TestScoreFile(t *testing.T) {
	s := scorer(t, 1)
	levels := s.Logistic.Inputs[1].Levels
	text := "y,rail,delay_h\n"
	for _, row := range goldenRows {
		text += fmt.Sprintf("1,%s,%v\n", levels[int(row[1])], row[0])
	}
	raw, p, err := s.ScoreFile(context.Background(), write(t, text), []string{"y"})
	must(t, err)
	for i, row := range goldenRows {
		wantRaw, wantP, err := s.Score(row)
		must(t, err)
		if !sameBits(raw[i], wantRaw) || !sameBits(p[i], wantP) {
			t.Errorf("row %d: %v, %v; want %v, %v", i, raw[i], p[i], wantRaw, wantP)
		}
	}
}

func TestScoreFileRefuses(t *testing.T) {
	s := scorer(t, 1)
	for name, c := range map[string]struct {
		text string
		says []string
	}{
		"column missing":      {"delay_h\n1\n", []string{"1 of the 2 columns that the model needs are not there: rail"}},
		"column unknown":      {"delay_h,rail,colour\n1,card,red\n", []string{"unknown to the model: colour"}},
		"all faults at once":  {"colour,size\n1,2\n", []string{"unknown to the model: colour, size; 2 of the 2", "not there: delay_h, rail"}},
		"level unknown":       {"delay_h,rail\n1,card\n2,cheque\n", []string{"column rail", "line 3", `"cheque"`}},
		"level in other case": {"delay_h,rail\n1,Card\n", []string{"column rail", "line 2"}},
		"level missing":       {"delay_h,rail\n1,card\n2,\n", []string{"column rail", "line 3"}},
		"number missing":      {"delay_h,rail\n,card\n", []string{"delay_h", "line 2"}},
		"not a number":        {"delay_h,rail\n1,card\nsoon,card\n", []string{"delay_h", "line 3"}},
		"not finite":          {"delay_h,rail\nNaN,card\n", []string{"delay_h", "line 2"}},
		"no rows":             {"delay_h,rail\n", []string{"rows"}},
		"column twice":        {"delay_h,rail,rail\n1,card,card\n", []string{"rail"}},
		"empty":               {"", []string{"empty"}},
	} {
		t.Run(name, func(t *testing.T) {
			path := write(t, c.text)
			raw, _, err := s.ScoreFile(context.Background(), path, nil)
			if !errors.Is(err, data.ErrContract) || raw != nil {
				t.Fatalf("%v, %v", raw, err)
			}
			for _, w := range append(c.says, path) {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("%q is not in: %v", w, err)
				}
			}
		})
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, _, err := s.ScoreFile(ctx, write(t, "delay_h,rail\n1,card\n"), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
