package selftest

import (
	"math"

	"recoup/api/report"
	"recoup/ope"
)

// loggerLine compares the worlds of the logs with those of the roll-outs in unit u.
func loggerLine(f *found, u int) Logger {
	l := Logger{Unit: units[u].name}
	logs, logsSE := ratio(f.logs, func(j *Judged) (float64, int) { return j.Logged.of(l.Unit), j.Cases })
	rolls, rollsSE := truth(f.rolls, 0, l.Unit)
	l.Logs = report.Ranged(logs, logs-1.96*logsSE, logs+1.96*logsSE, int64(len(f.logs)))
	l.Rolls = report.Ranged(rolls, rolls-1.96*rollsSE, rolls+1.96*rollsSE, int64(len(f.rolls)))
	if se := math.Hypot(logsSE, rollsSE); se > 0 {
		z := (logs - rolls) / se
		l.Z = &z
	}
	return l
}

// armLine is arm k over all logs.
func armLine(logs []*Judged, k int) ArmLine {
	l := ArmLine{Arm: logs[0].Arms[k].Arm}
	var own, others, diff []float64
	for _, log := range logs {
		a := &log.Arms[k]
		if a.Cases == 0 {
			continue
		}
		l.Logs++
		own = append(own, a.Own)
		if a.Light == ope.Red {
			l.Red++
		}
		if a.Others != nil {
			others, diff = append(others, *a.Others), append(diff, *a.Others-a.Own)
		}
	}
	l.Own, l.Others, l.Difference = overLogs(own), overLogs(others), overLogs(diff)
	_, _, l.Z = against(diff, 0, 0)
	return l
}

// overLogs is a mean over logs with the interval of their spread.
func overLogs(x []float64) report.Estimate {
	m, sd, _ := against(x, 0, 0)
	switch {
	case m == nil:
		return report.Unknown("no log tells")
	case sd == nil:
		return report.Number(*m, 1)
	}
	h := 1.96 * *sd / math.Sqrt(float64(len(x)))
	return report.Ranged(*m, *m-h, *m+h, int64(len(x)))
}

// fewest is how many cases a week needs on either side, over all logs.
const fewest = 50

// weekLine is arm k by week.
func weekLine(logs []*Judged, k int) WeekLine {
	l := WeekLine{Arm: logs[0].Arms[k].Arm}
	var real, dr, ipw, snipw, dm []float64
	for w := range weeks {
		var s Week
		for _, log := range logs {
			if by := log.Arms[k].ByWeek; w < len(by) {
				s.Cases += by[w].Cases
				s.Paid += by[w].Paid
				s.Rows += by[w].Rows
				s.DR += by[w].DR
				s.DM += by[w].DM
				s.IPW += by[w].IPW
				s.W += by[w].W
			}
		}
		if s.Cases < fewest || s.Rows < fewest || s.W == 0 {
			l.Real, l.Told = append(l.Real, nil), append(l.Told, nil)
			continue
		}
		n := float64(s.Rows)
		share, told := float64(s.Paid)/float64(s.Cases), s.DR/n
		l.Weeks++
		l.Real, l.Told = append(l.Real, &share), append(l.Told, &told)
		real, dr, ipw, snipw, dm = append(real, share), append(dr, told), append(ipw, s.IPW/n), append(snipw, s.IPW/s.W), append(dm, s.DM/n)
	}
	l.DR, l.IPW, l.SNIPW, l.DM = correlation(real, dr), correlation(real, ipw), correlation(real, snipw), correlation(real, dm)
	return l
}

// correlation is Pearson's; nil where one side does not move, or with less than four pairs.
func correlation(x, y []float64) *float64 {
	if len(x) < 4 {
		return nil
	}
	mx, my := *mean(x), *mean(y)
	var xy, xx, yy float64
	for i := range x {
		xy += float64((x[i] - mx) * (y[i] - my))
		xx += float64((x[i] - mx) * (x[i] - mx))
		yy += float64((y[i] - my) * (y[i] - my))
	}
	if xx == 0 || yy == 0 {
		return nil
	}
	c := xy / math.Sqrt(xx*yy)
	return &c
}

// seqLine is the policy over three attempts in unit u.
func seqLine(f *found, u int) SeqLine {
	l := SeqLine{Unit: units[u].name}
	l.Truth, l.TruthSE = truth(f.seqRolls, 1, l.Unit)
	l.Logged, _ = truth(f.seqRolls, 0, l.Unit)
	var seq, seqSE, single, singleSE []float64
	for _, s := range f.sequences {
		q := &s.Units[u]
		l.ESS += q.ESS / float64(len(f.sequences))
		l.Longest = max(l.Longest, q.Horizon)
		if q.Light == ope.Red {
			l.Red++
		}
		if q.DR != nil && q.CI != nil {
			l.Sequence.add(q.CI[0] <= l.Truth && l.Truth <= q.CI[1])
			seq, seqSE = append(seq, *q.DR), append(seqSE, *q.SE)
		}
		if q.OneStep != nil && q.OneStepCI != nil {
			l.OneStep.add(q.OneStepCI[0] <= l.Truth && l.Truth <= q.OneStepCI[1])
			single, singleSE = append(single, *q.OneStep), append(singleSE, *q.OneStepSE)
			if math.Abs(*q.OneStep-l.Truth) > 3**q.OneStepSE {
				l.Off++
			}
		}
	}
	l.MeanSequence, _, l.SequenceZ = against(seq, l.Truth, l.TruthSE)
	l.MeanOneStep, _, l.OneStepZ = against(single, l.Truth, l.TruthSE)
	l.SequenceSE, l.OneStepSE = mean(seqSE), mean(singleSE)
	return l
}
