package sim

// Tally counts what happened.
type Tally struct {
	Customers int
	Charges   int      // first attempts
	Failed    [256]int // cases by the reported reason of the first failure
	Retries   int
	Captured  int    // retries that captured
	Mature    int    // cases whose first failure is at least 21 days before the end of the log
	Roads     [4]int // of these, by what paid them within 21 days of the first failure
}

// close counts a finished case.
func (t *Tally) close(r *caseRun) {
	t.Retries += r.nextNo - 1
	if r.road == byRetry {
		t.Captured++
	}
	from := r.urge.from
	if from+judged > r.w.end {
		return
	}
	t.Mature++
	if r.paid <= from+judged {
		t.Roads[r.road]++
	} else {
		t.Roads[unpaid]++
	}
}

func (t *Tally) add(o *Tally) {
	t.Customers += o.Customers
	t.Charges += o.Charges
	for i, n := range o.Failed {
		t.Failed[i] += n
	}
	t.Retries += o.Retries
	t.Captured += o.Captured
	t.Mature += o.Mature
	for i, n := range o.Roads {
		t.Roads[i] += n
	}
}

// Cases is how many charges failed at first.
func (t *Tally) Cases() (n int) {
	for _, f := range t.Failed {
		n += f
	}
	return n
}
