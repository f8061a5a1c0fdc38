package nightly

import (
	"context"

	"recoup/data/ledger"
)

// Recorded is what the night took out of the ledger before it began.
type Recorded struct {
	ledger.Exported
	Maturity   *ledger.Maturity `json:"maturity"`   // of all decisions of the event log; null where there is none
	Checkpoint string           `json:"checkpoint"` // file of the signed checkpoint on the chain
}

// export adds what was recorded since the last night to the event log. It has no done-file:
// the ledger knows how far it was exported, and rows that the log has are passed over.
func (j *job) export(ctx context.Context, s *Summary) error {
	if j.Export == nil {
		return nil
	}
	j.progress("export", 0, 1)
	r, err := j.Export(ctx)
	if err != nil {
		return err
	}
	j.progress("export", 1, 1)
	s.Ledger = &r
	s.Stages = append(s.Stages, Step{"export", r.Rows > 0})
	s.Nothing = s.Nothing && r.Rows == 0
	if j.afterFor != nil {
		return j.afterFor("export")
	}
	return nil
}
