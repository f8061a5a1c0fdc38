package score

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"recoup/data"
)

// Policy holds every number of a decision: costs, grid, waits, the class table and
// the gate's rules with their dates. It comes from one YAML file; Default is the
// one embedded. It is not changed after it was read.
type Policy struct {
	id, version string
	horizon     data.Micros // T, whole days
	least       data.Micros // days ahead that count however old the case is
	gridDays    int
	retryHours  []data.Micros // times of day
	contacts    []data.Micros // times of day
	costs       [data.Escalate + 1]data.Paise
	ladder      []int // days after the first failure
	payDays     payDays
	classes     [data.Stop + 1]classRow // by class; 0 = not reported
	rules       []statedRule            // in order
	choice      choicePolicy
	numbers     []numberRow
	windows     []window
	holidays    []closed
	stops       []stop
	changes     []data.Micros // when a number or rule begins or ends, rising
}

// Rule is one rule of the gate as the policy states it.
type Rule struct {
	ID     string      `json:"id"`
	Why    string      `json:"why"`
	Source string      `json:"source"`
	From   data.Micros `json:"from"` // in force from this instant
	To     data.Micros `json:"to"`   // until before this one; 0 = no end
}

// statedRule is a rule with what it does.
type statedRule struct {
	Rule
	gateRule
}

// inForce says whether the rule holds at a time.
func (r *Rule) inForce(t data.Micros) bool { return t >= r.From && (r.To == 0 || t < r.To) }

// verdict is what the class table says about an action.
type verdict uint8

const (
	no verdict = iota + 1
	yes
	afterOutage     // retry: when the rail's outage has ended
	afterFailedPoll // retry: when a status check says failed
	afterAttempts   // link: when the attempts are spent
	once            // nudge
	capacity        // escalate: as far as there are people
	merchantAlert   // escalate: this is what must be done
	humanReview     // escalate: the same, or where nothing else may be done
	afterPolls      // escalate: when the status checks are spent
)

// classRow is a row of the class table. An arm of Retry follows when.
type classRow struct {
	retry, link, nudge, escalate verdict
	linkKind, nudgeKind          data.Route
	arm                          data.Action
	when                         when
	after                        []data.Micros // by the number of the retry, from the latest failure
}

// when is how the rules arm finds its time.
type when uint8

const (
	now when = iota + 1
	after
	payDay
	outageEnd
)

// payDays says when most salaries come; from and to are times of day.
type payDays struct {
	days     []int
	lastWork bool
	from, to data.Micros
}

//go:embed policy.yaml
var embedded []byte

var defaultPolicy = sync.OnceValue(func() *Policy {
	p, err := ParsePolicy("policy.yaml", embedded)
	if err != nil {
		panic(err) // part of the binary, and read by a test
	}
	return p
})

// Default is the embedded policy.
func Default() *Policy { return defaultPolicy() }

// DefaultText is the embedded policy's file, to copy and edit.
func DefaultText() []byte { return embedded }

// LoadPolicy reads a policy file. Unknown keys are refused; the error lists all
// faults with their lines and Is data.ErrUsage.
func LoadPolicy(path string) (*Policy, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("score: policy: %w", err)
	}
	return ParsePolicy(path, text)
}

// FindPolicy reads the policy file at path; with path "" dir/policy.yaml, and the
// embedded one where dir is "" or has none.
func FindPolicy(path, dir string) (*Policy, error) {
	if path != "" {
		return LoadPolicy(path)
	}
	path = filepath.Join(dir, "policy.yaml")
	if _, err := os.Stat(path); dir == "" || errors.Is(err, fs.ErrNotExist) {
		return Default(), nil
	}
	return LoadPolicy(path)
}

// ParsePolicy is LoadPolicy for a text; path names it in faults.
func ParsePolicy(path string, text []byte) (*Policy, error) {
	p, faults := readPolicy(path, text)
	if len(faults) > 0 {
		return nil, data.Faultf(data.ErrUsage, "score: policy: %w", errors.Join(faults...))
	}
	sum := sha256.Sum256(text)
	p.id = hex.EncodeToString(sum[:])[:16]
	return p, nil
}

// ID is the first 16 hex digits of the SHA-256 of the file.
func (p *Policy) ID() string { return p.id }

// Version is the date that the file bears.
func (p *Policy) Version() string { return p.version }

// Horizon is T: a payment within T after the first failure counts as recovered.
func (p *Policy) Horizon() data.Micros { return p.horizon }

// Cost is what an action costs.
func (p *Policy) Cost(a data.Action) data.Paise { return p.costs[a] }

// Rules are the gate's rules in their order.
func (p *Policy) Rules() []Rule {
	out := make([]Rule, len(p.rules))
	for i := range p.rules {
		out[i] = p.rules[i].Rule
	}
	return out
}
