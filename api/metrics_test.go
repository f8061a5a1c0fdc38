package api

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"recoup/api/live"
	"recoup/data"
	"recoup/models"
)

// TestPSI against the sum written out: two bins, 3 and 1 rows then 1 and 3 now.
func TestPSI(t *testing.T) {
	e, a := 3.5/5, 1.5/5
	want := (a-e)*math.Log(a/e) + (e-a)*math.Log(e/a)
	if got := psi([]int64{3, 1}, []int64{1, 3}); math.Abs(got-want) > 1e-15 || want < .3 {
		t.Errorf("%v, want %v", got, want)
	}
	if got := psi([]int64{300, 100, 0}, []int64{3000, 1000, 0}); got < 0 || got > .01 {
		t.Errorf("the same shares: %v", got)
	}
	if got := psi([]int64{1000, 0}, []int64{0, 1000}); math.IsInf(got, 0) || got < 5 {
		t.Errorf("nothing in common: %v", got)
	}
}

func TestDriftNeedsRowsOfTheModel(t *testing.T) {
	b := bundle(t, -1)
	b.ID = "this"
	n := len(b.Attempt.Logistic.Inputs)
	column := slices.IndexFunc(b.Attempt.Logistic.Inputs, func(in models.Input) bool { return len(in.Levels) > 2 })
	rows := func(id string, count, level int) (out []live.Scored) {
		for range count {
			row := make([]float64, n)
			row[column] = float64(level)
			out = append(out, live.Scored{ModelID: id, Row: row, P: .5})
		}
		return out
	}
	if d := driftOf(b, rows("this", 1000, 0)); d.rows != 0 || len(d.columns) != 0 {
		t.Errorf("a model that does not say what it was shown: %+v", d)
	}
	b.Attempt.Seen = &models.Seen{Rows: 1000, Inputs: make([]models.SeenInput, n)}
	in := &b.Attempt.Seen.Inputs[column]
	in.Name, in.Rows = "column", make([]int64, len(b.Attempt.Logistic.Inputs[column].Levels))
	in.Rows[0] = 1000
	if d := driftOf(b, slices.Concat(rows("this", driftRows-1, 0), rows("another", 1000, 0))); d.rows != 0 {
		t.Errorf("too few rows: %+v", d)
	}
	if d := driftOf(b, rows("this", driftRows, 0)); d.rows != driftRows || d.columns["column"] > .05 {
		t.Errorf("no drift: %+v", d)
	}
	if d := driftOf(b, rows("this", driftRows, 1)); d.columns["column"] < 1 || d.score != nil {
		t.Errorf("a drift: %+v", d)
	}
	// A number and the scores, where the model has their tenths.
	number := slices.IndexFunc(b.Attempt.Logistic.Inputs, func(in models.Input) bool { return !in.Category() })
	b.Attempt.Seen.Inputs[number] = models.SeenInput{Name: "number", Cuts: &models.Cuts{At: []float64{0}, Rows: []int64{990, 10}}}
	b.Attempt.Seen.Scores = &models.Cuts{At: []float64{.4, .6}, Rows: []int64{10, 980, 10}}
	d := driftOf(b, rows("this", driftRows, 0))
	if d.columns["number"] > .1 || *d.score > .1 {
		t.Errorf("no drift: %+v", d)
	}
	moved := rows("this", driftRows, 0)
	for i := range moved {
		moved[i].Row[number], moved[i].P = 3, .7
	}
	if d = driftOf(b, moved); d.columns["number"] < 1 || *d.score < 1 {
		t.Errorf("a drift: %+v", d)
	}
}

// TestPresentInMetrics: each number where it is known, and no series where it is not.
func TestPresentInMetrics(t *testing.T) {
	now := time.Unix(2_000_000_000, 0)
	m := newTenantMetrics(nil)
	read := func(st live.Stats) map[string]float64 {
		out := map[string]float64{}
		m.present(func(d *prometheus.Desc, v float64, labels ...string) {
			_, name, _ := strings.Cut(d.String(), `fqName: "recoup_`)
			name, _, _ = strings.Cut(name, `"`)
			out[strings.Join(append([]string{name}, labels...), " ")] = v
		}, &st, now)
		return out
	}
	nothing := read(live.Stats{})
	for _, name := range []string{"head_age_seconds", "window_explorer_share", "window_fallback_share", "label_lag_seconds", "calibration_error", "calibration_predicted 0.0"} {
		if v, there := nothing[name]; there {
			t.Errorf("%s is %v, and nothing is known", name, v)
		}
	}
	st := live.Stats{AsOf: data.MicrosOf(now.Add(-time.Minute)), Open: 7, Standing: 5, Queue: 3, Unknown: 2, Events: 11, Decisions: 10, Fallback: 1, Lag: 90 * data.Second, Matured: 120}
	st.ByArm[data.ArmModel], st.ByArm[data.ArmExplorer] = 8, 2
	st.Bins[1], st.Bins[9] = live.Bin{N: 100, Recovered: 20, P: 15}, live.Bin{N: 20, Recovered: 18, P: 19}
	got := read(st)
	for name, want := range map[string]float64{"head_age_seconds": 60, "cases_open": 7, "decisions_standing": 5, "queue_open": 3, "attempts_unknown": 2, "ledger_events": 11,
		"window_decisions model": 8, "window_decisions explorer": 2, "window_decisions rules": 0, "window_explorer_share": .2, "window_fallback_share": .1, "label_lag_seconds": 90,
		"window_matured": 120, "calibration_rows 0.1": 100, "calibration_predicted 0.1": .15, "calibration_observed 0.1": .2, "calibration_observed 0.9": .9, "calibration_error": 6. / 120} {
		if v, there := got[name]; !there || math.Abs(v-want) > 1e-12 {
			t.Errorf("%s: %v, want %v; there are %v", name, v, want, slices.Sorted(maps.Keys(got)))
		}
	}
	st.Bins[1].N = 79
	if v, there := read(st)["calibration_error"]; there {
		t.Errorf("a calibration error of 99 rows: %v", v)
	}
}

// TestMetricsOfADesk: a server with a ledger tells of its tenant's present.
func TestMetricsOfADesk(t *testing.T) {
	w := serve(t, -1, nil).recording()
	m := string(w.request("GET", "/metrics", "").body)
	for _, want := range []string{`recoup_cases_open{tenant="main"} 0`, `recoup_window_decisions{arm="explorer",tenant="main"} 0`, `recoup_drift_reference{tenant="main"} 0`, `recoup_drift_rows{tenant="main"} 0`} {
		if !strings.Contains(m, want+"\n") {
			t.Errorf("no %s", want)
		}
	}
}
