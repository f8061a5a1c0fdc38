package ingest

import (
	"slices"
	"strings"
	"unicode"
)

// namesOf lists what people and their providers call a field, the surest name
// first, in the form of normal. The lists follow the exports of Razorpay,
// Stripe, Cashfree, PayU, Juspay and Chargebee, and what teams write by hand.
var namesOf = map[string][]string{
	"attempt_id": {"attemptid", "paymentid", "transactionid", "txnid", "txid", "tranid", "chargeid", "razorpaypaymentid", "cfpaymentid",
		"mihpayid", "epgtxnid", "pgtransactionid", "gatewaytransactionid", "pspreference", "paymentrefno", "paymentreference", "transactionreference",
		"txnrefno", "txnuuid", "uuid", "utr", "rrn", "id", "payid", "transactionno", "txnno", "paymentno", "buchungsnummer", "transaktion", "transaktionsid"},
	"occurred_at": {"occurredat", "attemptedat", "presentedat", "transactiondate", "transactiontime", "transactiondatetime", "txndate", "txntime", "txndatetime",
		"paymentdate", "paymenttime", "paymentdatetime", "debitdate", "chargedat", "createdat", "created", "createddate", "createdon", "datecreated",
		"addedon", "initiatedat", "startedat", "started", "eventtime", "timestamp", "datetime", "tmsp", "ts", "atms", "date", "time", "when", "at", "zeitpunkt", "datum",
		"zahlungsdatum", "buchungsdatum"},
	"known_at": {"knownat", "recordedat", "recorded", "receivedat", "ingestedat", "loggedat", "notifiedat", "webhookreceivedat", "reportedat"},
	"clock":    {"time", "clock", "hour", "txntime", "transactiontime", "paymenttime", "uhrzeit", "zeit"},
	"amount_paise": {"amountpaise", "amountinpaise", "amount", "amt", "amountrs", "amtrs", "amountinr", "amountrupees", "amountinrs", "txnamount",
		"transactionamount", "paymentamount", "chargeamount", "debitamount", "orderamount", "invoiceamount", "grossamount", "amountcents", "total", "value", "price", "sum", "betrag"},
	"currency": {"currency", "currencycode", "curr", "cur", "ccy", "ordercurrency", "txncurrency", "paymentcurrency", "waehrung", "währung"},
	"customer_id": {"customerid", "custid", "customer", "cust", "customercode", "customerref", "customerreference", "customernumber", "userid", "user",
		"subscriberid", "memberid", "clientid", "client", "payerid", "buyerid", "accountid", "udf1customer", "who", "kundennummer", "kunde", "kundennr"},
	"person": {"email", "customeremail", "emailid", "useremail", "contact", "phone", "mobile", "mobilenumber", "phonenumber", "customerphone",
		"customercontact", "vpa", "payervpa", "customervpa", "customername", "name"},
	"status": {"status", "paymentstatus", "txnstatus", "transactionstatus", "result", "outcome", "state", "chargestatus", "debitstatus", "success",
		"issuccess", "succeeded", "captured", "paid", "response", "resultstatus", "orderstatus", "ok", "isok", "ispaid", "ergebnis", "zahlungsstatus"},
	"reason": {"reason", "errorreason", "failurereason", "declinereason", "failurecode", "declinecode", "failuremessage", "errordescription",
		"errormessage", "responsemessage", "txnmsg", "returnreason", "rejectreason", "message", "why", "remarks", "remark", "grund", "field9"},
	"rail": {"rail", "method", "paymentmethod", "paymentmode", "mode", "paymentmethodtype", "paymentgroup", "paymenttype", "instrumenttype",
		"kind", "channel", "type", "paymentsource", "zahlungsart"},
	"bank": {"bank", "bankname", "bankcode", "issuer", "issuingbank", "issuerbank", "cardissuer", "issuername", "psp", "gateway",
		"paymentgateway", "provider", "acquirer", "pg"},
	"network":         {"network", "cardnetwork", "cardbrand", "scheme", "brand", "cardscheme", "cardtype", "card", "paymentmethodbrand"},
	"merchant_id":     {"merchantid", "mid", "merchant", "merchantcode", "storeid", "store", "sellerid", "businessid"},
	"subscription_id": {"subscriptionid", "subscription", "subid", "subscriptioncode"},
	"mandate_id":      {"mandateid", "mandate", "tokenid", "token", "umrn", "umn", "mandatereference", "mandateref"},
	"instrument_id":   {"instrumentid", "cardid", "paymentmethodid", "cardfingerprint", "cardtoken"},
	"error_code":      {"errorcode"},
	"source":          {"errorsource"},
	"step":            {"errorstep"},
	"response_code":   {"responsecode", "respcode", "bankresponsecode", "npcicode", "issuercode", "gatewaycode"},
	"advice_code":     {"advicecode", "merchantadvicecode"},
	"initiator":       {"initiator", "initiatedby", "triggeredby"},
	"attempt_no":      {"attemptno", "attemptnumber", "attempt", "tryno", "try", "attemptcount", "attemptseq", "retryno", "retrycount", "retry", "versuch"},
	"case": {"caseid", "invoiceid", "invoice", "invoiceno", "invoicenumber", "billid", "bill", "dueid", "installmentid", "emiid", "orderid", "order",
		"orderno", "ordernumber", "merchantorderid", "paymentintentid", "paymentintent", "purchaseid", "purchase", "cycleid", "chargeref",
		"referenceid", "reference", "merchanttransactionid", "rechnung", "rechnungsnummer", "bestellung"},
}

// normal is a name without capitals, blanks and marks; what stands in brackets
// is left out.
func normal(name string) string {
	if i := strings.IndexAny(name, "(["); i > 0 {
		name = name[:i]
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// rank says how well a column's name fits a field: its place in the list from
// 1, dotted paths by their whole and then by their last keys; 0 = not at all.
func rank(field, column string) int {
	names := namesOf[field]
	keys := strings.Split(column, ".")
	for from := range keys {
		name := normal(strings.Join(keys[from:], "."))
		for _, unit := range []string{"", "us", "ms", "utc", "ist", "unix", "epoch"} {
			if i := slices.Index(names, strings.TrimSuffix(name, unit)); i >= 0 {
				return i + 1
			}
		}
	}
	return 0
}

// byName are the columns whose names fit a field, the best first; columns that
// are taken already are left out.
func (d *draft) byName(field string) []*examined {
	var out []*examined
	for _, c := range d.columns {
		if !d.used[c.name()] && rank(field, c.name()) > 0 {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b *examined) int { return rank(field, a.name()) - rank(field, b.name()) })
	return out
}

func containsAny(s string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(s, p) })
}
