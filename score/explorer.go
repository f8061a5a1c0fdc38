package score

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"recoup/data"
)

// Explorer divides the cases over the arms and draws for those that are its own.
type Explorer struct {
	// Salt keys the assignment of cases and the draws: 16 bytes or more that
	// nobody outside can guess. Only its id appears in what is answered and logged.
	Salt []byte
	// Proposal says how probable each candidate should be; nil = the policy's formula.
	Proposal Proposal
	Formula  string   // names Proposal and its version; "" with a nil Proposal
	Only     data.Arm // every case goes into this arm, for simulations; 0 = the policy's shares
}

// Proposal gives a weight, not negative and not all zero, for each of the
// candidates that may be drawn; they need no sum. It is a function of what it is
// given alone: a replay calls it again. What it must not do is look at anything
// that came after the decision. An error leaves the case to the rules arm.
type Proposal func(drawable []Choice, d *Decision) ([]float64, error)

// Spent is what the explorer's decisions of a day in India have used of its budget.
type Spent struct {
	Attempts int
	Paise    data.Paise
}

const minSalt = 16

// KeyFile is where a salt lives in a folder of recoup's.
const KeyFile = "explorer.key"

// FindSalt reads the salt in dir: the bytes of the key file without white space
// around them; nil where there is no such file.
func FindSalt(dir string) ([]byte, error) {
	path := filepath.Join(dir, KeyFile)
	b, err := os.ReadFile(path)
	if os.IsNotExist(err) || dir == "" {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("score: salt: %w", err)
	}
	if b = bytes.TrimSpace(b); len(b) < minSalt {
		return nil, data.Faultf(data.ErrUsage, "score: salt: %s: %d bytes: expected %d or more, such as head -c 32 /dev/urandom | base64 gives", path, len(b), minSalt)
	}
	return b, nil
}

// Divides says whether the policy has cases in more than the model's arm: then an
// engine needs a salt.
func (p *Policy) Divides() bool { return p.choice.shares[data.ArmModel] != wholeShare }

// wholeShare is all cases, in permille.
const wholeShare = 1000

// dealer assigns arms and draws.
type dealer struct {
	salt     []byte
	saltID   string
	shares   [data.ArmControl + 1]int64
	proposal Proposal
	formula  string
	floor    float64
	explorerPolicy
}

// Explore is the engine with its cases divided over the arms.
func (e *Engine) Explore(x Explorer) (*Engine, error) {
	p := &e.policy.choice
	switch {
	case len(x.Salt) < minSalt:
		return nil, data.Faultf(data.ErrUsage, "score: explorer: a salt of %d bytes: expected %d or more; %s holds it", len(x.Salt), minSalt, KeyFile)
	case (x.Proposal == nil) != (x.Formula == ""):
		return nil, data.Faultf(data.ErrUsage, "score: explorer: a proposal has a formula's name, and no name comes without it")
	case x.Only > data.ArmControl:
		return nil, data.Faultf(data.ErrUsage, "score: explorer: arm %d is unknown", x.Only)
	}
	d := &dealer{salt: bytes.Clone(x.Salt), shares: p.shares, proposal: x.Proposal, formula: x.Formula, floor: float64(p.explorer.floor) / wholeShare,
		explorerPolicy: p.explorer}
	d.saltID = hex.EncodeToString(d.mac("id", ""))[:12]
	if x.Only != 0 {
		d.shares = [data.ArmControl + 1]int64{}
		d.shares[x.Only] = wholeShare
	}
	if x.Proposal == nil {
		d.formula, d.proposal = p.explorer.formula, uniform
		if d.formula == Softened {
			d.proposal = softened(float64(p.explorer.softness) / wholeShare)
		}
	}
	out := *e
	out.dealer = d
	return &out, nil
}

// mac is the keyed hash of an id; what tells an assignment, a draw and the salt's
// own id apart.
func (x *dealer) mac(what, id string) []byte {
	h := hmac.New(sha256.New, x.salt)
	h.Write([]byte(what))
	h.Write([]byte{0})
	h.Write([]byte(id))
	return h.Sum(nil)
}

// bits53 are the first 53 bits of a keyed hash.
func (x *dealer) bits53(what, id string) uint64 {
	return binary.BigEndian.Uint64(x.mac(what, id)) >> 11
}

// armOf is the arm of a case, for all its attempts: 1000 buckets of 53 bits, in
// the order of the arms.
func (x *dealer) armOf(caseID string) data.Arm {
	bucket := int64(x.bits53("arm", caseID) * wholeShare >> 53) // 53 + 10 bits fit
	for arm := data.ArmRules; arm < data.ArmControl; arm++ {
		if bucket -= x.shares[arm]; bucket < 0 {
			return arm
		}
	}
	return data.ArmControl
}

// spent says whether the day's budget has no room for one more debit of amount.
// It is asked before the draw, whatever the draw will be: so the propensities
// that are logged are those that held.
func (x *dealer) spent(s Spent, amount data.Paise) bool {
	return s.Attempts >= x.attempts || s.Paise > x.paise-amount
}
