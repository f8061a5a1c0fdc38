package table

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"recoup/data"
)

// numbersCSV is a CSV of random numbers of 17 digits.
func numbersCSV(rows, columns int) string {
	r := rand.New(rand.NewPCG(1, 2))
	var s strings.Builder
	for j := range columns {
		fmt.Fprintf(&s, "%sx%d", ","[:min(j, 1)], j)
	}
	s.WriteByte('\n')
	for range rows {
		for j := range columns {
			fmt.Fprintf(&s, "%s%v", ","[:min(j, 1)], r.NormFloat64())
		}
		s.WriteByte('\n')
	}
	return s.String()
}

func BenchmarkCSV(b *testing.B) {
	text := numbersCSV(20_000, 45)
	f, err := Open(write(b, "x.csv", text), Options{})
	if err != nil {
		b.Fatal(err)
	}
	floats := f.Columns()
	for j := range floats {
		floats[j].Kind = data.Float64
	}
	for _, c := range []struct {
		name    string
		columns []data.Column
	}{{"text", f.Columns()}, {"one", f.Columns()[:1]}, {"numbers", floats}} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				for _, err := range f.FramesAs(c.columns...) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
	b.Run("profile", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			if _, err := f.Profile(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
