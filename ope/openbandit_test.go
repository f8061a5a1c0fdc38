package ope

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// openBandit are published figures on the Open Bandit Dataset.
type openBandit struct {
	Prior [][3]float64 // item by position
	Logs  map[string]struct {
		Estimators map[string][5]float64 // value, bootstrap mean, low, high, se of the terms
		MeanW      float64               `json:"mean_w"`
		MaxW       float64               `json:"max_w"`
		ESS        float64
		Slope      map[string][2]float64 // lambda, value
		MSEShrink  [2]float64            `json:"mse_shrink"`
		Lower      [3]float64            // Hoeffding, Bernstein, Student
	}
}

// TestOpenBandit compares every published figure with ours on the real log. The data
// are not part of this repository: RECOUP_OPENBANDIT names the folder obd of
// github.com/st-tech/zr-obp. What stands in for it everywhere is the toy case, whose
// figures have the same origin.
func TestOpenBandit(t *testing.T) {
	dir := os.Getenv("RECOUP_OPENBANDIT")
	if dir == "" {
		t.Skip("RECOUP_OPENBANDIT names no folder")
	}
	var want openBandit
	readJSON(t, "openbandit.json", &want)
	for name, w := range want.Logs {
		rows := openBanditRows(t, filepath.Join(dir, name, "men", "men.csv"), name == "random", want.Prior)
		r, err := Estimate(rows, Options{})
		if err != nil {
			t.Fatal(err)
		}
		near(t, name+" ess", r.Weights.ESS, w.ESS)
		near(t, name+" mean w", r.Weights.Mean, w.MeanW)
		near(t, name+" max w", r.Weights.Max, w.MaxW)
		for i, m := range Standard() {
			f := r.Estimators[i]
			near(t, name+" "+m.Name, *f.Value, w.Estimators[m.Name][0])
			near(t, name+" "+m.Name+" se", *f.SETerms, w.Estimators[m.Name][4])
			z := make([]float64, rows.Len())
			r.base.rounds(m, z)
			if m.Name == "ipw" {
				b, err := BoundMean(z, .05, 0)
				if err != nil {
					t.Fatal(err)
				}
				for k, v := range []float64{b.Hoeffding[0], b.Bernstein[0], b.StudentT[0]} {
					near(t, name+" bound", v, w.Lower[k])
				}
			}
			if m.Name == "ipw" || m.Name == "dr" || m.Name == "dros_10" {
				boot := frozen(z, 1000, 12345)
				for k, key := range []string{"mean", "low", "high"} {
					near(t, name+" "+m.Name+" bootstrap "+key, boot[key].(float64), w.Estimators[m.Name][1+k])
				}
			}
		}
		grid := Shrink.Lambdas()
		for which, m := range map[string]Method{"ipw": {"ipw", Weighted, Clip, 0}, "dr": {"dr", DoublyRobust, Clip, 0},
			"switch": {"switch", DoublyRobust, Switch, 0}, "shrink": {"shrink", DoublyRobust, Shrink, 0}} {
			pick, err := r.SLOPE(m, grid, .1)
			if err != nil {
				t.Fatal(err)
			}
			m.Lambda = pick.Lambda
			near(t, name+" slope "+which+" lambda", pick.Lambda, w.Slope[which][0])
			near(t, name+" slope "+which, valueOf(t, rows, m), w.Slope[which][1])
			if pick, err = r.MSEBound(m, grid, .1); err != nil {
				t.Fatal(err)
			}
			near(t, name+" MSE bound "+which+" lambda", pick.Lambda, w.MSEShrink[0])
			if m.Lambda = pick.Lambda; which == "shrink" {
				near(t, name+" MSE bound", valueOf(t, rows, m), w.MSEShrink[1])
			}
		}
		if name == "bts" && len(r.Light.Amber) == 0 && len(r.Light.Red) == 0 {
			t.Error("a log worth 6.6 % of its rows got a green light")
		}
	}
}

func valueOf(t *testing.T, r *Rows, m Method) float64 {
	t.Helper()
	v, err := Value(r, m)
	if err != nil || v == nil {
		t.Fatal(m, v, err)
	}
	return *v
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	same(t, what, got, want)
}

// openBanditRows has as target the prior's policy by position, or the uniform one;
// the reward model is a rate per item.
func openBanditRows(t *testing.T, path string, prior bool, p [][3]float64) *Rows {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]int{}
	for i, name := range records[0] {
		at[name] = i
	}
	number := func(rec []string, name string) float64 {
		v, err := strconv.ParseFloat(rec[at[name]], 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	items := len(p)
	r := &Rows{Start: Square(len(records)-1, items)}
	clicks, shown := make([]float64, items), make([]float64, items)
	for k := range items {
		r.Actions = append(r.Actions, strconv.Itoa(k))
	}
	for _, rec := range records[1:] {
		a, position := int(number(rec, "item_id")), int(number(rec, "position"))-1
		r.Taken, r.Reward = append(r.Taken, int32(a)), append(r.Reward, number(rec, "click"))
		r.Propensity = append(r.Propensity, number(rec, "propensity_score"))
		clicks[a] += number(rec, "click")
		shown[a]++
		for k := range items {
			e := 1 / float64(items)
			if prior {
				e = p[k][position]
			}
			r.Target = append(r.Target, e)
		}
	}
	for range records[1:] {
		for k := range items {
			r.Q = append(r.Q, (clicks[k]+1)/(shown[k]+200))
		}
	}
	return r
}
