package thompson

import (
	"recoup/data"
	"recoup/ope/bandit"
	"recoup/score"
)

// Learner is a Beta bandit at work: it opens a trial for each decision, and learns at
// each midnight from the trials whose windows have closed. It is for one goroutine.
type Learner struct {
	post  *bandit.Posterior
	book  bandit.Book
	open  map[string][]string // trials by case
	night data.Micros
}

// NewLearner knows nothing yet.
func NewLearner() (*Learner, error) {
	p, err := newBeta()
	return &Learner{post: p, open: map[string][]string{}}, err
}

// Decided opens the trial of a decision, whose window closes at a time. What is no arm,
// an escalation, opens none.
func (l *Learner) Decided(d *data.Decision, closes data.Micros) error {
	t := trialOf(d, &data.Outcome{})
	if t.arm < 0 {
		return nil
	}
	l.open[d.CaseID] = append(l.open[d.CaseID], d.DecisionID)
	return l.book.Open(bandit.Trial{ID: d.DecisionID, Cell: t.cell, Arm: t.arm, Closes: closes})
}

// Paid notes that a case was paid: all its open trials succeed.
func (l *Learner) Paid(caseID string, at data.Micros) {
	for _, id := range l.open[caseID] {
		l.book.Succeed(id, at)
	}
}

// Dawn learns from what has closed by a midnight.
func (l *Learner) Dawn(midnight data.Micros) error {
	l.night = midnight
	return l.post.Learn(l.book.Close(midnight))
}

// Propose is what the explorer draws by until the next Dawn, and its formula's name,
// which holds the posterior's version. Later learning does not change it.
func (l *Learner) Propose() (score.Proposal, string, error) {
	state, err := bandit.EncodeState(l.post, &bandit.Book{})
	if err != nil {
		return nil, "", err
	}
	f := File{Kind: Beta, AsOf: l.night, State: state}
	return f.Propose()
}
