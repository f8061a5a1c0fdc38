package features

import "strings"

// Words of the facts. They are apart from the vocabularies of the feature
// columns, so that neither moves the other.

// Network is a card network; 0 is unknown.
type Network uint8

// The networks that a gate's rules may name.
const (
	Visa Network = iota + 1
	Mastercard
	RuPay
	Amex
	Diners
	OtherNetwork
)

var networkNames = []string{"", "visa", "mastercard", "rupay", "amex", "diners", "other"}

func (n Network) String() string { return networkNames[n] }

// Networks lists every network.
func Networks() []Network { return []Network{Visa, Mastercard, RuPay, Amex, Diners, OtherNetwork} }

// NetworkOf reads a network as a log spells it; "" = 0. Case does not count.
func NetworkOf(s string) Network { return networkAt(spelled(networkLevels, s)) }

// networkAt is the network of a level of the feature vocabulary.
func networkAt(level uint8) Network {
	for n, name := range networkNames {
		if n > 0 && name == networkLevels[level] {
			return Network(n)
		}
	}
	return 0
}

// Category is what a mandate is for, as far as a rule tells it apart; 0 is unknown.
type Category uint8

// The categories: RBI names insurance premiums, mutual funds and credit-card
// bills for its higher cap, FASTag and NCMC top-ups for debits without a notice.
const (
	Regular Category = iota + 1
	Insurance
	MutualFund
	CreditCardBill
	FASTag
	NCMC
	OtherCategory
)

var categoryNames = []string{"", "regular", "insurance", "mutual_fund", "credit_card", "fastag", "ncmc", "other"}

func (c Category) String() string { return categoryNames[c] }

// Categories lists every category.
func Categories() []Category {
	return []Category{Regular, Insurance, MutualFund, CreditCardBill, FASTag, NCMC, OtherCategory}
}

// CategoryOf reads a category as a log spells it; "" = 0, a text that nobody
// here has heard of is OtherCategory. Case does not count.
func CategoryOf(s string) Category {
	switch strings.ToLower(s) {
	case "":
		return 0
	case "regular":
		return Regular
	case "insurance", "insurance_premium":
		return Insurance
	case "mutual_fund", "mutual_fund_subscription":
		return MutualFund
	case "credit_card", "credit_card_bill":
		return CreditCardBill
	case "fastag":
		return FASTag
	case "ncmc":
		return NCMC
	}
	return OtherCategory
}

// Code is a network's response or advice code, two characters in capitals; the
// zero Code is none, or a text that is no such code.
type Code [2]byte

// CodeOf reads a code as a log spells it.
func CodeOf(s string) (c Code) {
	if len(s) != len(c) {
		return Code{}
	}
	for i := range c {
		b := s[i]
		switch {
		case 'a' <= b && b <= 'z':
			b -= 'a' - 'A'
		case '0' <= b && b <= '9', 'A' <= b && b <= 'Z':
		default:
			return Code{}
		}
		c[i] = b
	}
	return c
}

func (c Code) String() string {
	if c == (Code{}) {
		return ""
	}
	return string(c[:])
}
