package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"recoup/data"
)

// synth writes a log of about n attempts over 14 months as cheaply as it can:
// monthly charges on a customer's own day, one in eight of which fails and is
// presented again 24 hours later, at most three times, and is then given up (a
// subscription halts). Only the shape is real (keys, orders, sizes); outcomes are dice.
func synth(ctx context.Context, dir string, n int) error {
	const months, perCharge = 14, 1.27
	w, err := data.NewWriter(dir, data.WriteOptions{Currency: "INR"})
	if err != nil {
		return err
	}
	defer w.Abort() //nolint:errcheck // after a Commit it does nothing
	s := &synthetic{dice: rand.New(rand.NewPCG(5, 6)), w: w, days: make([][]data.Attempt, months*30+10)}
	customers := int(float64(n) / (months * perCharge))
	s.reasons = []data.Reason{data.MustReason("insufficient_funds"), data.MustReason("insufficient_funds"),
		data.MustReason("gateway_technical_error"), data.MustReason("payment_declined"), data.MustReason("request_timed_out")}
	byDay := make([][]int32, 30)
	for c := range customers {
		d := s.dice.IntN(30)
		byDay[d] = append(byDay[d], int32(c))
	}
	for day := range s.days {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.day(day, byDay[day%30], day < months*30); err != nil {
			return err
		}
	}
	_, err = w.Commit(ctx)
	return err
}

type synthetic struct {
	dice    *rand.Rand
	w       *data.Writer
	days    [][]data.Attempt // retries to come
	ended   []data.CaseEvent
	reasons []data.Reason
}

var synthBanks = []string{"SBIN", "HDFC", "ICIC", "UTIB", "KKBK", "PUNB", "BARB", "CNRB", "UBIN", "YESB", "IDFB", "INDB"}

// day presents the retries and the charges of a day.
func (s *synthetic) day(day int, customers []int32, charges bool) error {
	start := data.IST(2024, 6, 1, 0, 0) + data.Micros(day)*data.Day
	out := s.days[day]
	s.days[day] = nil
	for i := range out {
		s.settle(&out[i], day)
	}
	for _, c := range customers {
		if !charges {
			break
		}
		at := start + data.Micros(s.dice.Int64N(int64(data.Day)))
		a := data.Attempt{Event: data.Event{OccurredAt: at, KnownAt: at + data.Micros(s.dice.IntN(2_000_000))},
			CaseID: fmt.Sprintf("c%07d.%03d", c, day), CustomerID: fmt.Sprintf("cust%07d", c), MandateID: fmt.Sprintf("m%07d", c),
			Rail: data.Rail(1 + c%3), Bank: synthBanks[c%12], Amount: data.Paise(19900 + 10000*(c%40)), Initiator: data.ByRecoup}
		s.settle(&a, day)
		out = append(out, a)
	}
	if err := data.Add(s.w, s.ended...); err != nil {
		return err
	}
	s.ended = s.ended[:0]
	return data.Add(s.w, out...)
}

// settle gives an attempt its outcome, and a failed one its retry.
func (s *synthetic) settle(a *data.Attempt, day int) {
	a.AttemptID = fmt.Sprintf("%s.%d", a.CaseID, a.AttemptNo)
	a.EventID = "e." + a.AttemptID
	odds := 88
	if a.AttemptNo > 0 {
		odds = 30
	}
	if s.dice.IntN(100) < odds {
		a.Status, a.Reason = data.Captured, 0
		return
	}
	a.Status, a.Reason = data.Failed, s.reasons[s.dice.IntN(len(s.reasons))]
	if a.AttemptNo == 3 {
		s.ended = append(s.ended, data.CaseEvent{Event: data.Event{EventID: "x." + a.CaseID, OccurredAt: a.KnownAt + data.Hour,
			KnownAt: a.KnownAt + data.Hour}, CaseID: a.CaseID, Kind: data.WrittenOff})
	}
	if a.AttemptNo == 3 || day+1 >= len(s.days) {
		return
	}
	next := *a
	next.AttemptNo++
	next.OccurredAt += data.Day
	next.KnownAt = next.OccurredAt + data.Micros(s.dice.IntN(2_000_000))
	s.days[day+1] = append(s.days[day+1], next)
}
