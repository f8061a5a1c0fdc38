package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"recoup/score"
)

// followed is the file of a bandit's state under a running server.
type followed struct {
	path     string
	policy   *score.Policy
	optional bool // as long as there was no file, the policy's formula

	at       time.Time // of the file when it was read
	size     int64
	proposal score.Proposal // nil = not read yet
	formula  string
}

// draw is what the explorer draws by, read again whenever the file has changed. It is for
// one goroutine at a time.
func (f *followed) draw() (score.Proposal, string, error) {
	info, err := os.Stat(f.path)
	if errors.Is(err, fs.ErrNotExist) && f.optional && f.proposal == nil {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", fmt.Errorf("serve: bandit: %w", err)
	}
	if f.proposal != nil && info.ModTime().Equal(f.at) && info.Size() == f.size {
		return f.proposal, f.formula, nil
	}
	proposal, formula, err := proposalOf("serve", f.path, f.policy)
	if err != nil {
		return nil, "", err
	}
	f.proposal, f.formula, f.at, f.size = proposal, formula, info.ModTime(), info.Size()
	return proposal, formula, nil
}
