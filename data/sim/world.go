package sim

import "recoup/data"

// world is what all customers share. It is read-only once made.
type world struct {
	nature      Nature
	root        key
	off         Mechanism
	months      int
	start, end  data.Micros // of the log
	from, until data.Micros // of the hidden state: from well before to well after
	banks       []*bank
	bankWeights []float64
	downtimes   map[string][]data.Downtime // by bank, as told; looked up, never ranged over
}

func newWorld(c Config) *world {
	w := &world{root: key(0).sub(c.Seed), off: c.Without, months: c.Months, start: midnight(c.Start), end: c.end(),
		downtimes: map[string][]data.Downtime{}}
	w.from, w.until = w.start-62*data.Day, w.end+90*data.Day
	w.nature = UsualNature()
	if c.Nature != nil {
		w.nature = *c.Nature
	}
	for i, info := range banks {
		k := w.root.sub(uint64(tagBank)).sub(uint64(i))
		b := newBank(k, info, &w.nature, w.from, w.until, w.off)
		w.banks = append(w.banks, b)
		w.bankWeights = append(w.bankWeights, info.weight)
		w.downtimes[b.code] = b.versions(k, w.end)
	}
	return w
}
