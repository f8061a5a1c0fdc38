package main

import (
	"cmp"
	"context"
	"encoding/csv"
	"io"
	"slices"
	"strings"
	"time"

	"recoup/data"
)

// payment is a row of the export: one attempt, and what became of it.
type payment struct {
	data.Attempt
	at data.Micros // presented
}

// read collects the attempts of a log, with their last status, in the order in
// which they were presented.
func read(ctx context.Context, dir string) ([]payment, error) {
	l, err := data.OpenLog(dir)
	if err != nil {
		return nil, err
	}
	var out []payment
	byID := map[string]int{}
	for rows, err := range data.Scan[data.Attempt](l, data.AsOf(1<<62)) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		for _, a := range rows {
			a.AttemptID = strings.Clone(a.AttemptID)
			i, ok := byID[a.AttemptID]
			if !ok {
				byID[a.AttemptID] = len(out)
				out = append(out, payment{a, a.OccurredAt})
				continue
			}
			out[i].Attempt = a
		}
	}
	out = slices.DeleteFunc(out, func(p payment) bool { return p.Status != data.Failed && !p.Status.Paid() })
	slices.SortFunc(out, func(a, b payment) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.AttemptID, b.AttemptID)) })
	return out, nil
}

// The words of the export; a dashboard does not speak recoup's.
var (
	methods = map[data.Rail]string{data.UPIAutopay: "UPI AutoPay", data.Card: "Card", data.EMandate: "eNACH", data.Netbanking: "Netbanking", data.Wallet: "Wallet"}
	makers  = map[data.Initiator]string{data.ByRecoup: "Auto", data.ByProvider: "Auto", data.ByCustomer: "Customer"}
	ist     = time.FixedZone("IST", 19800)
)

const clock = "02/01/2006 15:04:05"

// write writes the export as a dashboard would: rupees, local times without a
// zone, words of its own.
func write(w io.Writer, payments []payment) error {
	c := csv.NewWriter(w)
	c.Write([]string{"Payment ID", "Created At", "Amount", "Currency", "Status", "Method", "Bank", "Customer ID", "Invoice No", "Initiated By", "Failure Reason", "Notes"})
	for _, p := range payments {
		status, reason := "SUCCESS", ""
		if p.Status == data.Failed {
			status = "FAILED"
			if p.Reason != 0 {
				reason = strings.ReplaceAll(strings.ToUpper(p.Reason.String()[:1])+p.Reason.String()[1:], "_", " ")
			}
		}
		c.Write([]string{p.AttemptID, p.at.Time().In(ist).Format(clock), p.Amount.String(), "INR", status, methods[p.Rail], p.Bank, p.CustomerID, p.CaseID,
			makers[p.Initiator], reason, ""})
	}
	c.Flush()
	return c.Error()
}
