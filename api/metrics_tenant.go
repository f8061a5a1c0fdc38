package api

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"recoup/api/live"
	"recoup/data"
)

// tenantMetrics tell of each tenant when they are asked: the model in use and how
// old its data are, the last night, and the present. A series whose number is not
// known is not there: an alert on absence is one on ignorance.
type tenantMetrics struct {
	s *Server

	info, age, night, formula                              *prometheus.Desc
	open, standing, queue, unknown, events, head           *prometheus.Desc
	arms, fallback, explorer, lag, matured                 *prometheus.Desc
	binRows, binPredicted, binObserved, calibration        *prometheus.Desc
	driftCompared, driftColumn, driftScore, driftReference *prometheus.Desc
}

func newTenantMetrics(s *Server) *tenantMetrics {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("recoup_"+name, help, append([]string{"tenant"}, labels...), nil)
	}
	days := fmt.Sprintf("of the last %d days", live.StatsDays)
	return &tenantMetrics{s: s,
		info:    desc("model_info", "1 for the model in use.", "model_id", "as_of"),
		age:     desc("model_age_seconds", "Time since the as_of of the model in use: nothing later taught it."),
		formula: desc("explorer_info", "1 for the posterior that the explorer draws by, where it is a bandit's.", "formula"),
		night:   desc("nightly_age_seconds", "Time since the as_of of the last night that came to its report."),

		open:     desc("cases_open", "Cases that are owed."),
		standing: desc("decisions_standing", "Decisions that stand."),
		queue:    desc("queue_open", "Escalations without a result."),
		unknown:  desc("attempts_unknown", "Attempts whose outcome nobody knows: a status check is due."),
		events:   desc("ledger_events", "Events of the book that the present remembers."),
		head:     desc("head_age_seconds", "Time since the latest known_at."),

		arms:     desc("window_decisions", "Decisions "+days+" by the arm that decided.", "arm"),
		fallback: desc("window_fallback_share", "Share of the decisions "+days+" made by another arm than the one assigned."),
		explorer: desc("window_explorer_share", "Share of the decisions "+days+" that the explorer made."),
		lag:      desc("label_lag_seconds", "Median time from a decision to its outcome, of the latest outcomes."),
		matured:  desc("window_matured", "Decisions "+days+" with a P whose outcome is final."),

		binRows:      desc("calibration_rows", "Matured decisions "+days+" by tenth of P.", "bin"),
		binPredicted: desc("calibration_predicted", "Their mean P.", "bin"),
		binObserved:  desc("calibration_observed", "The share of them that recovered.", "bin"),
		calibration:  desc("calibration_error", "Mean distance of the two, by rows. No series with fewer than 100 rows."),

		driftReference: desc("drift_reference", "1 = the model in use says what it was trained on; 0 = drift is not assessed."),
		driftCompared:  desc("drift_rows", fmt.Sprintf("Rows that the model was asked lately and that are compared; 0 = fewer than %d.", driftRows)),
		driftColumn:    desc("drift_psi", "Population stability index of a column of the case's state against the training rows; 0.25 is a large drift.", "column"),
		driftScore:     desc("drift_score_psi", "The same of P."),
	}
}

// Describe sends nothing: which series there are depends on the tenants.
func (m *tenantMetrics) Describe(chan<- *prometheus.Desc) {}

// gauge sends one number of a tenant.
type gauge func(d *prometheus.Desc, v float64, labels ...string)

// Collect asks every tenant.
func (m *tenantMetrics) Collect(ch chan<- prometheus.Metric) {
	for _, told := range m.s.parts.Tenants {
		t := m.s.tenants[told.Name]
		send := func(d *prometheus.Desc, v float64, labels ...string) {
			ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, append([]string{t.name}, labels...)...)
		}
		now := m.s.now(t).Time()
		since := func(d *prometheus.Desc, asOf string) {
			if at, err := time.Parse(time.RFC3339Nano, asOf); err == nil {
				send(d, now.Sub(at).Seconds())
			}
		}
		b := t.engine().Model()
		if b != nil {
			send(m.info, 1, string(b.ID), b.Manifest.AsOf)
			since(m.age, b.Manifest.AsOf)
		}
		if formula := t.champion.drawn.Load(); formula != nil && *formula != "" {
			send(m.formula, 1, *formula)
		}
		if r, _, err := t.nights.last(); err == nil && r != nil {
			since(m.night, r.AsOf)
		}
		if t.desk == nil {
			continue
		}
		st := t.desk.Stats()
		m.present(send, &st, now)
		if b == nil {
			continue
		}
		drift := driftOf(b, st.Recent)
		send(m.driftReference, map[bool]float64{true: 1}[b.Attempt.Seen != nil])
		send(m.driftCompared, float64(drift.rows))
		for _, name := range slices.Sorted(maps.Keys(drift.columns)) {
			send(m.driftColumn, drift.columns[name], name)
		}
		if drift.score != nil {
			send(m.driftScore, *drift.score)
		}
	}
}

// calibrationRows is how many matured decisions a calibration error needs.
const calibrationRows = 100

// present tells of a desk.
func (m *tenantMetrics) present(send gauge, st *live.Stats, now time.Time) {
	send(m.open, float64(st.Open))
	send(m.standing, float64(st.Standing))
	send(m.queue, float64(st.Queue))
	send(m.unknown, float64(st.Unknown))
	send(m.events, float64(st.Events))
	if st.AsOf > 0 {
		send(m.head, now.Sub(st.AsOf.Time()).Seconds())
	}
	for arm := data.ArmRules; arm <= data.ArmControl; arm++ {
		send(m.arms, float64(st.ByArm[arm]), arm.String())
	}
	if st.Decisions > 0 {
		send(m.fallback, float64(st.Fallback)/float64(st.Decisions))
		send(m.explorer, float64(st.ByArm[data.ArmExplorer])/float64(st.Decisions))
	}
	if st.Lag > 0 {
		send(m.lag, float64(st.Lag)/float64(data.Second))
	}
	send(m.matured, float64(st.Matured))
	gap, rows := 0.0, int64(0)
	for i, bin := range st.Bins {
		name := fmt.Sprintf("0.%d", i)
		send(m.binRows, float64(bin.N), name)
		if bin.N == 0 {
			continue
		}
		predicted, observed := bin.P/float64(bin.N), float64(bin.Recovered)/float64(bin.N)
		send(m.binPredicted, predicted, name)
		send(m.binObserved, observed, name)
		gap, rows = gap+math.Abs(bin.P-float64(bin.Recovered)), rows+bin.N
	}
	if rows >= calibrationRows {
		send(m.calibration, gap/float64(rows))
	}
}
