package razorpay

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"hash"

	"recoup/data"
)

// MinKey is the least length of an identity key, in bytes.
const MinKey = 16

// identity names customers that no event names: by a keyed hash of how they can
// be reached, so that a customer stays one without anybody reading who it is.
type identity struct{ mac hash.Hash }

func newIdentity(key []byte) (*identity, error) {
	if len(key) < MinKey {
		return nil, data.Faultf(data.ErrUsage, "razorpay: identity key: %d bytes, expected at least %d", len(key), MinKey)
	}
	return &identity{hmac.New(sha256.New, key)}, nil
}

// of is the id of whoever has the first usable of these, "" if none is.
func (i *identity) of(contact, email, vpa []byte) string {
	for _, way := range [...]struct {
		kind string
		b    []byte
	}{{"contact", phone(contact)}, {"email", mail(email)}, {"vpa", mail(vpa)}} {
		if way.b != nil {
			i.mac.Reset()
			i.mac.Write([]byte(way.kind + ":"))
			i.mac.Write(way.b)
			return "pii:" + hex.EncodeToString(i.mac.Sum(nil)[:12])
		}
	}
	return ""
}

// ofPayment is the customer of a payment: his id, else the subscription's, else
// a hash; "" where there is none of these.
func (i *identity) ofPayment(f *fields) string {
	if id := f.customer(payCustomer, subCustomer); id != "" {
		return id
	}
	return i.of(f.bytes(payContact), f.bytes(payEmail), f.bytes(payVPA))
}

// ofToken is the customer of a token.
func (i *identity) ofToken(f *fields) string {
	if id := f.customer(tokenCustomer, tokenOwner); id != "" {
		return id
	}
	var vpa []byte
	if user, handle := f.bytes(tokenVPAUser), f.bytes(tokenVPAHandle); len(user) > 0 && len(handle) > 0 {
		vpa = bytes.Join([][]byte{user, handle}, []byte("@"))
	}
	return i.of(f.bytes(tokenOwnerContact), f.bytes(tokenOwnerEmail), vpa)
}

func (f *fields) customer(at ...slot) string {
	for _, s := range at {
		if id := f.id(s, "cust"); id != "" {
			return id
		}
	}
	return ""
}

// phone is a number without signs and India's prefix; nil where digits are
// masked or too few.
func phone(b []byte) []byte {
	var digits []byte
	for _, c := range b {
		switch {
		case c-'0' <= 9:
			digits = append(digits, c)
		case c != '+' && c != ' ' && c != '-' && c != '(' && c != ')':
			return nil
		}
	}
	digits = bytes.TrimLeft(digits, "0")
	if len(digits) == 12 && digits[0] == '9' && digits[1] == '1' {
		digits = digits[2:]
	}
	if len(digits) < 10 || len(digits) > 15 {
		return nil
	}
	return digits
}

// mail is an address in small letters; nil where it is masked, or none, or what
// the provider puts in place of one.
func mail(b []byte) []byte {
	b = bytes.ToLower(bytes.TrimSpace(b))
	at := bytes.IndexByte(b, '@')
	if at < 1 || at == len(b)-1 || bytes.IndexByte(b, '*') >= 0 || string(b) == "void@razorpay.com" {
		return nil
	}
	return b
}
