package train

import (
	"errors"
	"fmt"
	"iter"
	"testing"

	"recoup/data"
)

// framesTable is a table of two chunks that reuses its buffers, as a file does.
func framesTable(t *testing.T, n int) Table {
	t.Helper()
	return Table{Name: "attempts", Rows: int64(n), Frames: func(columns ...string) iter.Seq2[*data.Frame, error] {
		return func(yield func(*data.Frame, error) bool) {
			var f data.Frame
			for first := 0; first < n; first += 7 {
				m := min(7, n-first)
				f = data.Frame{N: m, First: int64(first), Columns: f.Columns[:0]}
				for _, c := range columns {
					col := data.Column{Name: c, Kind: data.Int64}
					switch c {
					case colCustomer:
						col.Kind, col.Dict = data.String, []string{"a", "b", "c"}
						for i := range m {
							col.Codes = append(col.Codes, uint32((first+i)%3))
						}
					default:
						for i := range m {
							col.I = append(col.I, int64(first+i))
						}
					}
					f.Columns = append(f.Columns, col)
				}
				if !yield(&f, nil) {
					return
				}
			}
		}
	}}
}

func TestRowsChoosesBySliceAndCustomer(t *testing.T) {
	table := framesTable(t, 20)
	for _, rows := range []int64{20, holdValues} { // held in memory, and streamed
		table.Rows = rows
		asked := 0
		src, err := table.rows([]string{"x"}, within(Slice{From: 3, To: 15}).of(func(c string) bool { asked++; return c != "b" }))
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			var got []string
			for f, err := range src() {
				if err != nil {
					t.Fatal(err)
				}
				f.Check()
				x, who := f.Column("x"), f.Column(colCustomer)
				for i := range f.N {
					got = append(got, fmt.Sprint(x.I[i])+who.Text(i))
				}
			}
			if want := "[3a 5c 6a 8c 9a 11c 12a 14c]"; fmt.Sprint(got) != want {
				t.Errorf("%v, want %v", got, want)
			}
		}
	}
}

func TestRowsNamesTheTable(t *testing.T) {
	table := framesTable(t, 20)
	table.Frames = func(...string) iter.Seq2[*data.Frame, error] {
		return func(yield func(*data.Frame, error) bool) {
			yield(nil, data.Faultf(data.ErrContract, "data: x.parquet: truncated"))
		}
	}
	_, err := table.rows(nil, within(Slice{From: 0, To: 5}))
	if !errors.Is(err, data.ErrContract) || err.Error() != "train: attempts: data: x.parquet: truncated" {
		t.Error(err)
	}
}
