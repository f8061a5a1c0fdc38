package api

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"recoup/score"
)

// metrics are what one server counts, in a registry of its own. Labels are
// route templates, statuses, rules and words: their number is bounded whatever
// callers send.
type metrics struct {
	registry     *prometheus.Registry
	requests     *prometheus.HistogramVec // seconds, by route, method, status
	inFlight     prometheus.Gauge
	refused      prometheus.Counter     // requests over the limit
	scores       prometheus.Histogram   // P of the best candidate
	decisions    *prometheus.CounterVec // by operation, arm, action
	refusals     *prometheus.CounterVec // by rule, action
	swaps        prometheus.Counter
	swapFailures prometheus.Counter
	lookFailures prometheus.Counter
	strangers    prometheus.Counter
	webhooks     *prometheus.CounterVec // by result
}

func newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "recoup_http_request_duration_seconds",
			Help: "Time from the end of the headers to the end of the answer.", Buckets: prometheus.ExponentialBuckets(0.00025, 2, 16)},
			[]string{"route", "method", "status"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{Name: "recoup_http_in_flight", Help: "Requests being answered."}),
		refused:  prometheus.NewCounter(prometheus.CounterOpts{Name: "recoup_http_busy_total", Help: "Requests refused because too many were in flight."}),
		scores: prometheus.NewHistogram(prometheus.HistogramOpts{Name: "recoup_score_probability",
			Help: "P(recover) of the candidate with the largest expected value.", Buckets: prometheus.LinearBuckets(0.05, 0.05, 19)}),
		decisions: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "recoup_decisions_total",
			Help: "Answers by operation, arm and action of the candidate that comes first."}, []string{"operation", "arm", "action"}),
		refusals: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "recoup_gate_refusals_total",
			Help: "What the gate refused, by rule and action."}, []string{"rule", "action"}),
		swaps:        prometheus.NewCounter(prometheus.CounterOpts{Name: "recoup_model_swaps_total", Help: "Models that took over."}),
		swapFailures: prometheus.NewCounter(prometheus.CounterOpts{Name: "recoup_model_swap_failures_total", Help: "Looks at the registry that found a model which cannot be used."}),
		lookFailures: prometheus.NewCounter(prometheus.CounterOpts{Name: "recoup_look_failures_total", Help: "Changes under the running server that could not be taken in."}),
		strangers:    prometheus.NewCounter(prometheus.CounterOpts{Name: "recoup_strangers_total", Help: "Requests without a valid key or signature."}),
		webhooks:     prometheus.NewCounterVec(prometheus.CounterOpts{Name: "recoup_webhooks_total", Help: "Signed webhooks by result."}, []string{"result"}),
	}
	m.registry.MustRegister(m.requests, m.inFlight, m.refused, m.scores, m.decisions, m.refusals, m.swaps, m.swapFailures, m.lookFailures, m.strangers, m.webhooks,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func (m *metrics) request(route, method string, status int, d time.Duration) {
	m.requests.WithLabelValues(route, method, strconv.Itoa(status)).Observe(d.Seconds())
}

// answered counts a decision; first is the choice to count it under.
func (m *metrics) answered(operation string, d *score.Decision) {
	action := "none"
	if d.Chosen >= 0 && d.Chosen < len(d.Allowed) {
		c := d.Allowed[d.Chosen]
		action = c.Action.String()
		if c.P != nil {
			m.scores.Observe(*c.P)
		}
	}
	m.decisions.WithLabelValues(operation, d.Arm.String(), action).Inc()
	for _, r := range d.Refusals {
		m.refusals.WithLabelValues(r.Rule, r.Action.String()).Inc()
	}
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}
