package ledger

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"fmt"
)

// atOnce is the KnownAt of entries about the chain itself: right after the entry
// before, so that keeping a ledger whose clock is a replay's does not move that clock. When
// it was is told by their bodies.
const atOnce = 1

// keyChange is the body of a KeyChange, whose key is the new secret's id: the entry
// itself is hashed with the old secret, and Proof with the new.
type keyChange struct {
	From  string `json:"from"` // "" = there was none
	To    string `json:"to"`
	Proof []byte `json:"proof"`
	At    string `json:"at"` // RFC 3339, the clock of whoever did it
}

func readKeyChange(body []byte) (k keyChange, err error) {
	if err := json.Unmarshal(body, &k); err != nil {
		return k, fmt.Errorf("its body is no key change: %w", err)
	}
	return k, nil
}

// proof is HMAC-SHA256(secret, "recoup-ledger-v1" 00 | lp("key change") | lp(ledger id) | lp(tenant) | lp(from) | lp(to)).
func (k *keyChange) proof(s Secret, ledgerID, tenant string) []byte {
	mac := hmac.New(sha256.New, s.Key)
	mac.Write(lp(lp(lp(lp(lp([]byte(chainLabel), "key change"), ledgerID), tenant), k.From), k.To))
	return mac.Sum(nil)
}

func (k *keyChange) fits(s Secret, ledgerID, tenant string) bool {
	return hmac.Equal(k.Proof, k.proof(s, ledgerID, tenant))
}
