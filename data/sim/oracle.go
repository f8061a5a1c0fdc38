package sim

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"recoup/data"
)

// The oracle's files.
const (
	CandidatesFile = "candidates.parquet"
	CuresFile      = "cures.parquet"
)

// oracle writes the truth; nil when nobody asked for it.
type oracle struct{ candidates, cures *data.FrameWriter }

// CandidateColumns are the columns of the candidates file.
func CandidateColumns() []data.Column {
	return []data.Column{{Name: "decision_id", Kind: data.String}, {Name: "case_id", Kind: data.String},
		{Name: "attempt_no", Kind: data.Int64}, {Name: "action", Kind: data.String}, {Name: "at", Kind: data.Timestamp},
		{Name: "p_true", Kind: data.Float64}, {Name: "outcome", Kind: data.Int64}, {Name: "attempt_id", Kind: data.String}}
}

// CureColumns are the columns of the cures file.
func CureColumns() []data.Column {
	return []data.Column{{Name: "case_id", Kind: data.String}, {Name: "attempt_no", Kind: data.Int64},
		{Name: "day", Kind: data.Int64}, {Name: "at", Kind: data.Timestamp}, {Name: "h_true", Kind: data.Float64},
		{Name: "f0_true", Kind: data.Float64}, {Name: "cured", Kind: data.Int64}}
}

func createOracle(dir string, c Config, b Behaviour) (o *oracle, err error) {
	if dir == "" {
		return nil, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("sim: oracle: %w", err)
	}
	meta := map[string]string{"seed": strconv.FormatUint(c.Seed, 10), "policy": b.ID}
	o = &oracle{}
	if o.candidates, err = data.CreateFrames(filepath.Join(dir, CandidatesFile), CandidateColumns(), meta); err != nil {
		return nil, err
	}
	if o.cures, err = data.CreateFrames(filepath.Join(dir, CuresFile), CureColumns(), meta); err != nil {
		o.candidates.Abort()
		return nil, err
	}
	return o, nil
}

func (o *oracle) close() error {
	if o == nil {
		return nil
	}
	return errors.Join(o.candidates.Close(), o.cures.Close())
}

// abort gives the files up; after close it does nothing.
func (o *oracle) abort() {
	if o != nil {
		o.candidates.Abort()
		o.cures.Abort()
	}
}

func (o *oracle) write(b *Batch) error {
	if o == nil {
		return nil
	}
	if err := o.candidates.Write(candidateFrame(b.Candidates)); err != nil {
		return err
	}
	return o.cures.Write(cureFrame(b.Cures))
}

func candidateFrame(rows []CandidateTruth) *data.Frame {
	f := &data.Frame{N: len(rows), Columns: CandidateColumns()}
	c := f.Columns
	var decision, cases, action, attempt texts
	for i := range rows {
		r := &rows[i]
		decision.add(r.DecisionID)
		cases.add(r.CaseID)
		c[2].I = append(c[2].I, int64(r.AttemptNo))
		action.add(r.Action.String())
		c[4].I = append(c[4].I, int64(r.At))
		c[5].F = append(c[5].F, r.PTrue)
		c[6].I = append(c[6].I, bit(r.Outcome))
		attempt.add(r.AttemptID)
	}
	decision.fill(&c[0])
	cases.fill(&c[1])
	action.fill(&c[3])
	attempt.fill(&c[7])
	return f
}

func cureFrame(rows []CureTruth) *data.Frame {
	f := &data.Frame{N: len(rows), Columns: CureColumns()}
	c := f.Columns
	var cases texts
	for i := range rows {
		r := &rows[i]
		cases.add(r.CaseID)
		c[1].I = append(c[1].I, int64(r.AttemptNo))
		c[2].I = append(c[2].I, int64(r.Day))
		c[3].I = append(c[3].I, int64(r.At))
		c[4].F = append(c[4].F, r.Hazard)
		c[5].F = append(c[5].F, r.F0)
		c[6].I = append(c[6].I, bit(r.Cured))
	}
	cases.fill(&c[0])
	return f
}

// texts is a String column in the making.
type texts struct {
	codes  []uint32
	dict   []string
	codeOf map[string]uint32
	last   string
}

func (t *texts) add(s string) {
	if n := len(t.codes); n > 0 && s == t.last { // runs are long
		t.codes = append(t.codes, t.codes[n-1])
		return
	}
	code, ok := t.codeOf[s]
	if !ok {
		if t.codeOf == nil {
			t.codeOf = map[string]uint32{}
		}
		code = uint32(len(t.dict))
		t.codeOf[s] = code
		t.dict = append(t.dict, s)
	}
	t.codes, t.last = append(t.codes, code), s
}

func (t *texts) fill(c *data.Column) { c.Codes, c.Dict = t.codes, t.dict }

func bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
