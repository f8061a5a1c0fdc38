package score

import (
	"fmt"
	"testing"

	"recoup/data"
	"recoup/features"
)

// history is a body of 80 events of one customer, some 29 KiB.
func history() []byte {
	var rows [][]byte
	seq := int64(0)
	at := data.IST(2025, 1, 5, 9, 30)
	next := func() data.Event {
		seq++
		at += data.Hour + 123*data.Second + 456
		return data.Event{EventID: fmt.Sprintf("evt_%014d", seq), OccurredAt: at, KnownAt: at + 2*data.Second, Seq: seq * 977}
	}
	rows = append(rows, data.AppendJSON(nil, &data.Mandate{Event: next(), MandateID: "token_AbCdEfGh012345", CustomerID: "cust_AbCdEfGh012345", Rail: data.UPIAutopay, Status: data.MandateActive, CreatedAt: at, MaxAmount: 1500000}))
	for i := range 13 {
		rows = append(rows, data.AppendJSON(nil, &data.Subscription{Event: next(), SubscriptionID: "sub_AbCdEfGh012345", CustomerID: "cust_AbCdEfGh012345", Status: data.SubActive, CycleStart: at, CycleEnd: at + 30*data.Day}))
		id := fmt.Sprintf("inv_AbCdEfGh%06d", i)
		rows = append(rows, data.AppendJSON(nil, &data.Notice{Event: next(), CaseID: id, MandateID: "token_AbCdEfGh012345", Kind: data.PreDebit, Status: data.NoticeSent, Amount: 49900, DebitAt: at + data.Day}))
		at += data.Day
		for j := range 4 {
			a := data.Attempt{Event: next(), CaseID: id, AttemptNo: int32(j), AttemptID: fmt.Sprintf("pay_AbCdEf%04d%04d", i, j), CustomerID: "cust_AbCdEfGh012345", SubscriptionID: "sub_AbCdEfGh012345",
				MandateID: "token_AbCdEfGh012345", InstrumentID: "vpa_0123456789abcdef", MerchantID: "acc_AbCdEfGh012345", Initiator: data.ByProvider, Rail: data.UPIAutopay, Bank: "HDFC", Amount: 49900, Status: data.Failed, ErrorCode: "BAD_REQUEST_ERROR",
				Source: "customer", Step: "payment_authorization", Reason: data.MustReason("insufficient_funds")}
			if j == 3 && i < 12 {
				a.Status, a.ErrorCode, a.Source, a.Step, a.Reason = data.Captured, "", "", "", 0
			}
			rows = append(rows, data.AppendJSON(nil, &a))
			at += data.Day
		}
	}
	b := fmt.Appendf(nil, `{"as_of":{"known_at":%d,"seq":%d},"case_id":"inv_AbCdEfGh000012","events":[`, at, seq*977)
	for i, r := range rows {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, r...)
	}
	return append(b, "]}"...)
}

// BenchmarkParseRequest reads, orders and folds a body of 79 events.
func BenchmarkParseRequest(b *testing.B) {
	text := history()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if r, faults := ParseRequest(text); r == nil {
			b.Fatal(faults)
		}
	}
}

// BenchmarkFoldHistory folds the events of BenchmarkParseRequest.
func BenchmarkFoldHistory(b *testing.B) {
	r, _ := data.OpenJSON(history())
	var rows []data.AnyRow
	r.Object(requestKeys, func(i int) {
		if i == 1 {
			r.Array(func(int) {
				row, _, _ := r.Row()
				rows = append(rows, row)
			})
		}
	})
	b.ReportAllocs()
	for b.Loop() {
		s := features.NewState()
		for _, row := range rows {
			if err := features.FoldAny(s, row); err != nil {
				b.Fatal(err)
			}
		}
	}
}
