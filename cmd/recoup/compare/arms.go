package compare

import (
	"fmt"

	"recoup/data"
	"recoup/ope/bandit"
)

// Two ways to make arms of the retry slots that the gate allows.

// delays are hours after the first slot that is allowed: the arms of a bandit that
// knows nothing of the calendar.
var delays = []data.Micros{0, 24 * data.Hour, 72 * data.Hour, 168 * data.Hour, 336 * data.Hour}

func delayNames() (out []string) {
	for _, d := range delays {
		out = append(out, fmt.Sprintf("%d h", d/data.Hour))
	}
	return out
}

// byDelay is the first slot at or after each delay; -1 = there is none within half a
// day, so the arm is illegal.
func byDelay(s *scene) ([]int, error) {
	out := make([]int, len(delays))
	for k, d := range delays {
		out[k] = -1
		want := s.at(0) + d
		for i := range s.retries {
			if at := s.at(i); at >= want && at < want+12*data.Hour {
				out[k] = i
				break
			}
		}
	}
	return out, nil
}

// fineCell is a context with many parts: class, part of the pay cycle, attempt, bank.
func fineCell(s *scene, _ []int) bandit.Cell {
	bank := s.turn.Bank
	if bank == "" {
		bank = "none"
	}
	return bandit.Cell(fmt.Sprintf("%s/%d/%d/%s", s.d.Class, phase(s.turn.Now), min(s.turn.AttemptNo, 2), bank))
}

// phase is the part of the pay cycle of one who is paid at the turn of the month: 0 to
// the 4th, 1 to the 14th, 2 after that.
func phase(t data.Micros) int {
	switch _, _, d := t.ISTDate(); {
	case d <= 4:
		return 0
	case d <= 14:
		return 1
	}
	return 2
}

// windows are last days of parts of the month: between them pay comes, or does not.
var windows = []int{3, 6, 9, 12, 16, 20, 24, 27, 31}

// monthNames are the arms of byMonth: the first slot, and one a part of the month.
func monthNames() []string {
	out, from := []string{"at once"}, 1
	for _, to := range windows {
		out = append(out, fmt.Sprintf("%d to %d", from, to))
		from = to + 1
	}
	return out
}

// byMonth is the first slot, and of each part of the month the first slot from 06:00
// on that is at least a day after that; -1 = none.
func byMonth(s *scene) ([]int, error) {
	out := make([]int, 1+len(windows))
	for k := range out[1:] {
		out[k+1] = -1
	}
	for i := range s.retries {
		if at := s.at(i); at >= s.at(0)+data.Day && at.ISTTimeOfDay() >= 6*data.Hour {
			if k := 1 + window(at); out[k] < 0 {
				out[k] = i
			}
		}
	}
	return out, nil
}

// window is the part of the month that a time lies in.
func window(t data.Micros) int {
	_, _, d := t.ISTDate()
	for k, last := range windows {
		if d <= last {
			return k
		}
	}
	return len(windows) - 1
}

// monthArm is the arm of byMonth that stands for a slot, whichever it is.
func monthArm(first, at data.Micros) int {
	if at < first+data.Day {
		return 0
	}
	return 1 + window(at)
}

// coarseCell is a context with few parts, widest first: the bandit's arms carry the
// calendar, so the cells need not.
func coarseCell(s *scene, _ []int) bandit.Cell {
	return bandit.Cell(fmt.Sprintf("%s/%d/%s", s.d.Class, min(s.turn.AttemptNo, 2), s.turn.Rail))
}
