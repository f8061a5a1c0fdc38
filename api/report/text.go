package report

// Text is the estimate as people read it, "0.1530 [0.1492, 0.1568]", or a dash
// where it is null.
func (e Estimate) Text() string { return estimate(e) }

// Percent is Text in hundredths, "4.7 % [3.9, 5.5]".
func (e Estimate) Percent() string { return percent(e) }

// Count groups a number by thousands: "50,410".
func Count(n int64) string { return count(n) }

// When shows an RFC 3339 instant in UTC, the date alone at midnight.
func When(s string) string { return when(s) }

// Rupees is an amount as people read it, to two decimals.
func Rupees(v float64) string { return fixed(v, 2) }
