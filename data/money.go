package data

import "fmt"

// Paise is money: 1/100 rupee, exact. Floats hold money only inside a feature
// row or a reward, and the comment there says so.
type Paise int64

// Rupees is p whole rupees.
func Rupees(r int64) Paise { return Paise(r) * 100 }

// String prints rupees with two decimals, e.g. "-12.05".
func (p Paise) String() string {
	sign, u := "", uint64(p)
	if p < 0 {
		sign, u = "-", -uint64(p)
	}
	return fmt.Sprintf("%s%d.%02d", sign, u/100, u%100)
}
