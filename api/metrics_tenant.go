package api

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// tenantMetrics tell of each tenant when they are asked: the model in use and how
// old its data are, the last night, and the present. No series where there is nothing.
type tenantMetrics struct {
	s *Server

	info, age, night *prometheus.Desc
}

func newTenantMetrics(s *Server) *tenantMetrics {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("recoup_"+name, help, append([]string{"tenant"}, labels...), nil)
	}
	return &tenantMetrics{s: s,
		info:  desc("model_info", "1 for the model in use.", "model_id", "as_of"),
		age:   desc("model_age_seconds", "Time since the as_of of the model in use: nothing later taught it."),
		night: desc("nightly_age_seconds", "Time since the as_of of the last night that came to its report.")}
}

// Describe sends nothing: which series there are depends on the tenants.
func (m *tenantMetrics) Describe(chan<- *prometheus.Desc) {}

// Collect asks every tenant.
func (m *tenantMetrics) Collect(ch chan<- prometheus.Metric) {
	for _, told := range m.s.parts.Tenants {
		t := m.s.tenants[told.Name]
		send := func(d *prometheus.Desc, v float64, labels ...string) {
			ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, append([]string{t.name}, labels...)...)
		}
		now := m.s.now(t).Time()
		if b := t.engine().Model(); b != nil {
			send(m.info, 1, string(b.ID), b.Manifest.AsOf)
			if asOf, err := time.Parse(time.RFC3339Nano, b.Manifest.AsOf); err == nil {
				send(m.age, now.Sub(asOf).Seconds())
			}
		}
		if r, _, err := t.nights.last(); err == nil && r != nil {
			if asOf, err := time.Parse(time.RFC3339Nano, r.AsOf); err == nil {
				send(m.night, now.Sub(asOf).Seconds())
			}
		}
	}
}
