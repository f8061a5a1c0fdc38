package score

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"

	"recoup/data"
	"recoup/features"
)

// idOf is the content hash of a decision before anything is chosen: the case and
// time, who decides by what, and every candidate with what it is worth. The same
// question gives the same id, and the same draw.
func (e *Engine) idOf(d *Decision) string {
	b := make([]byte, 0, 512+48*len(d.Allowed))
	for _, s := range []string{d.CaseID, d.CustomerID, d.PolicyID, d.ModelID, d.Schema, e.saltID()} {
		b = append(binary.AppendUvarint(b, uint64(len(s))), s...)
	}
	for _, n := range []int64{int64(d.AsOf.KnownAt), d.AsOf.Seq, int64(d.DecidedAt), int64(d.Amount), int64(d.Rail), int64(d.Reason), int64(len(d.Refusals))} {
		b = binary.BigEndian.AppendUint64(b, uint64(n))
	}
	for i := range d.Allowed {
		c := &d.Allowed[i]
		b = append(b, byte(c.Action), byte(c.Kind))
		b = binary.BigEndian.AppendUint64(b, uint64(c.At))
		if c.P != nil {
			b = binary.BigEndian.AppendUint64(b, math.Float64bits(*c.P))
			b = binary.BigEndian.AppendUint64(b, uint64(*c.EV))
		}
	}
	sum := sha256.Sum256(b)
	return "dec_" + hex.EncodeToString(sum[:12])
}

func (e *Engine) saltID() string {
	if e.dealer == nil {
		return ""
	}
	return e.dealer.saltID
}

// hashRow hashes the feature row of what was decided: the attempt model's of a
// retry, else the cure model's of its day.
func (d *Decision) hashRow() {
	if d.RowHash = ""; d.unanswered || d.past == nil {
		return
	}
	c := &d.Allowed[d.Decided]
	var row []float64
	var err error
	switch c.Action {
	case data.Retry:
		row, err = d.past.AttemptRow(nil, data.Candidate{Action: data.Retry, At: c.At})
	default:
		day := min(int((c.At-d.situation.LastFailure)/data.Day), features.CureDays-1)
		row, err = d.past.CureRow(nil, day, nil)
	}
	if err != nil {
		return
	}
	b := make([]byte, 0, 8*len(row))
	for _, x := range row {
		b = binary.BigEndian.AppendUint64(b, math.Float64bits(x))
	}
	sum := sha256.Sum256(b)
	d.RowHash = hex.EncodeToString(sum[:8])
}

// Row is the decision as the log keeps it, but for its Event: what was decided,
// which is more than what was answered where the explorer is only monitored.
func (d *Decision) Row() data.Decision {
	r := data.Decision{DecisionID: d.ID, CaseID: d.CaseID, CustomerID: d.CustomerID, DecidedAt: d.DecidedAt, AsOf: d.AsOf, Arm: d.Arm, ArmShare: d.ArmShare,
		Logger: d.Logger, PolicyID: d.PolicyID, ModelID: d.ModelID, Schema: d.Schema, RowHash: d.RowHash, Chosen: int32(d.Decided), Class: d.Class,
		Allowed: make([]data.Option, len(d.Allowed)), Refusals: make([]data.Refusal, len(d.Refusals))}
	for i := range d.Allowed {
		c := &d.Allowed[i]
		r.Allowed[i] = data.Option{Action: c.Action, Kind: c.Kind, At: c.At, NoticeBy: c.NoticeBy, P: c.P, EV: c.EV, Propensity: c.Propensity, Mix: c.Mix}
	}
	for i, f := range d.Refusals {
		r.Refusals[i] = data.Refusal{Rule: f.Rule, Action: f.Action, At: f.At, Route: f.Route}
	}
	return r
}
