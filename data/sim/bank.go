package sim

import (
	"math"
	"sort"
	"strconv"

	"recoup/data"
)

// bank is the hidden state of one bank over the whole log.
type bank struct {
	bankInfo
	origin  data.Micros
	health  []float64 // an AR(1) path of log technical decline, hourly
	outages []outage  // by begin
}

// outage is a spell in which debits fail more often.
type outage struct {
	interval
	id       string
	fails    float64
	severity data.Severity
	rails    []data.Rail
}

func newBank(k key, info bankInfo, n *Nature, from, to data.Micros, off Mechanism) *bank {
	b := &bank{bankInfo: info, origin: from}
	noise := healthSpread * math.Sqrt(1-healthDecay*healthDecay)
	x := healthSpread * k.normal(tagMain)
	for i := uint64(0); i <= uint64((to-from)/data.Hour)+1; i++ {
		b.health = append(b.health, x)
		x = float64(healthDecay*x) + float64(noise*k.sub(i).normal(tagSecond))
	}
	if off&Banks != 0 {
		b.technical = 0
		return b
	}
	if n.Outages == 0 {
		return b
	}
	every := data.Micros(float64(outageEvery) / n.Outages)
	length := data.Micros(n.OutageHours*float64(data.Hour)) - 20*data.Minute
	t := from
	for i := uint64(0); ; i++ {
		d := k.sub(uint64(tagOutage)).sub(i)
		t += d.span(tagMain, every)
		if t >= to {
			return b
		}
		n := 20*data.Minute + d.span(tagSecond, length)
		sev := d.pick(tagSeverity, severityMix)
		o := outage{interval{t, t + n}, info.code + "_" + strconv.FormatUint(i, 10), severityFails[sev], data.Severity(sev + 1),
			[][]data.Rail{{data.UPIAutopay}, {data.Card}, mixedRails}[d.pick(tagScope, []float64{.45, .20, .35})]}
		b.outages = append(b.outages, o)
		t += n
	}
}

// outage is the outage that hits a rail at t, nil for none. Outages of one bank
// do not overlap.
func (b *bank) outage(r data.Rail, t data.Micros) *outage {
	i := sort.Search(len(b.outages), func(i int) bool { return b.outages[i].to > t })
	if i == len(b.outages) || !b.outages[i].has(t) {
		return nil
	}
	for _, o := range b.outages[i].rails {
		if o == r {
			return &b.outages[i]
		}
	}
	return nil
}

// decline is the chance that the bank fails to answer at t, and the outage
// behind it, if any.
func (b *bank) decline(r data.Rail, t data.Micros) (float64, *outage) {
	i := min(max(0, int((t-b.origin)/data.Hour)), len(b.health)-1)
	// exp(x - sd²/2) has mean 1
	p := b.technical * batchFactor * math.Exp(b.health[i]-healthSpread*healthSpread/2)
	p = min(p, 0.5)
	o := b.outage(r, t)
	if o != nil {
		p = 1 - float64((1-p)*(1-o.fails))
	}
	return p, o
}

// versions are the rows that tell of the bank's outages: started, sometimes
// updated, resolved. A third of the small ones is never reported.
func (b *bank) versions(k key, end data.Micros) []data.Downtime {
	var rows []data.Downtime
	for i, o := range b.outages {
		d := k.sub(uint64(tagReported)).sub(uint64(i))
		if o.severity == data.SeverityLow && d.happens(tagMain, 1.0/3) {
			continue
		}
		for _, r := range o.rails {
			id := "down_" + o.id + "_" + r.String()
			add := func(word string, s data.DowntimeStatus, at, known, until data.Micros, sev data.Severity) {
				if known <= end {
					rows = append(rows, data.Downtime{
						Event:      data.Event{EventID: id + "_" + word, OccurredAt: at, KnownAt: known},
						DowntimeID: id, Rail: r, Bank: b.code, Severity: sev, Status: s, Begin: o.from, End: until})
				}
			}
			lag := 4*data.Minute + d.span(tagDelay, 12*data.Minute)
			if o.from+lag >= o.to { // over before it was noticed
				add("resolved", data.DowntimeResolved, o.to, o.to+lag, o.to, o.severity)
				continue
			}
			first := o.severity
			if first == data.SeverityHigh && d.happens(tagSecond, .5) {
				first = data.SeverityMedium
				if mid := (o.from + o.to) / 2; mid > o.from+lag {
					add("updated", data.DowntimeUpdated, mid, mid+2*data.Minute, 0, o.severity)
				}
			}
			add("started", data.DowntimeStarted, o.from, o.from+lag, 0, first)
			add("resolved", data.DowntimeResolved, o.to, o.to+3*data.Minute+d.span(tagSettle, 10*data.Minute), o.to, o.severity)
		}
	}
	return rows
}

// known is what the merchant has been told at t about outages of a rail: the
// latest downtime row, nil for none in the last three days.
func (b *bank) known(rows []data.Downtime, r data.Rail, t data.Micros) *data.Downtime {
	var last *data.Downtime
	for i := range rows {
		d := &rows[i]
		if d.Rail != r || d.KnownAt > t || d.KnownAt < t-3*data.Day {
			continue
		}
		if last == nil || d.KnownAt > last.KnownAt {
			last = d
		}
	}
	return last
}
