package sim

import (
	"cmp"
	"container/heap"
	"context"
	"fmt"
	"strings"

	"recoup/data"
)

// play is one decider on one Stage: the world in the order of time. At one
// instant the world moves first, then what is known of it is told, then
// decisions are made; so a decision sees all that was known by then.
type play struct {
	*Stage
	d        Decider
	out      *Batch // rows that the decider moved
	taken    marks  // of out, told or waiting to be
	agenda   agenda
	cases    map[string]*liveCase
	attempts map[string]*liveCase   // by attempt_id
	mandates map[string][]*liveCase // by mandate_id
	scratch  []known
	n        int64 // entries of the agenda so far
	seq      int64
	closed   data.Micros // decisions were made at this time: nothing more may become known by then
}

// Play lives the Stage under a decider. It hands the rows that no policy moves
// to emit first, then those that it moved; both belong to the Stage and may not
// be changed. The results are in the order of the cases. emit may be nil.
func (s *Stage) Play(ctx context.Context, d Decider, emit func(*Batch) error) (Summary, []CaseResult, error) {
	if emit == nil {
		emit = func(*Batch) error { return nil }
	}
	p := &play{Stage: s, d: d, out: &Batch{}, cases: map[string]*liveCase{}, attempts: map[string]*liveCase{}, mandates: map[string][]*liveCase{}}
	live := make([]*liveCase, len(s.cases))
	for i, r := range s.cases {
		live[i] = p.begin(r)
	}
	p.file()
	if err := p.run(ctx); err != nil {
		return Summary{}, nil, err
	}
	results := make([]CaseResult, len(live))
	for i, c := range live {
		c.logOutcomes()
		p.out.Tally.close(&c.caseRun)
		results[i] = c.result()
	}
	sum := newSummary(s.config, Behaviour{ID: d.ID}, s.w)
	for _, b := range []*Batch{s.base, p.out} {
		sum.fold(b)
		if err := emit(b); err != nil {
			return Summary{}, nil, err
		}
	}
	sum.finish()
	return *sum, results, nil
}

// run takes what is due, one by one, until the log ends.
func (p *play) run(ctx context.Context) error {
	rows := p.rows
	for n := 0; ; n++ {
		if n%4096 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		if len(rows) > 0 && (len(p.agenda) == 0 || p.agenda[0].after(rows[0])) {
			if err := p.tell(rows[0]); err != nil {
				return err
			}
			rows = rows[1:]
			continue
		}
		if len(p.agenda) == 0 {
			return nil
		}
		e := heap.Pop(&p.agenda).(entry)
		if e.at > p.w.end {
			return nil
		}
		if err := p.take(&e); err != nil {
			return err
		}
	}
}

// take does one entry of the agenda.
func (p *play) take(e *entry) error {
	if e.row != nil {
		return p.tell(known{e.at, e.id, e.row})
	}
	if err := e.do(e.at); err != nil {
		return err
	}
	p.file()
	return nil
}

// file puts the rows that something made on the agenda.
func (p *play) file() {
	p.scratch = p.out.appendKnown(p.scratch[:0], &p.taken)
	for _, k := range p.scratch {
		p.push(entry{at: k.at, turn: tellTurn, id: k.id, row: k.row})
	}
}

// tell lets a row become known: to the decider, and to the case that it is about.
func (p *play) tell(k known) error {
	if k.at <= p.closed {
		return fmt.Errorf("sim: event %s became known at %s, where decisions had been made", k.id, k.at)
	}
	if p.d.Fold != nil {
		p.seq++
		if err := p.d.Fold(numbered(k.row, p.seq)); err != nil {
			return err
		}
	}
	p.heard(k)
	p.file()
	return nil
}

// The turns of one instant.
const (
	worldTurn = iota
	tellTurn
	decideTurn
)

// entry is something due: a row to tell, or something to do.
type entry struct {
	at   data.Micros
	turn int
	id   string // of the event or of the case
	n    int64  // order of filing
	row  any
	do   func(now data.Micros) error
}

func (p *play) push(e entry) {
	p.n++
	e.n = p.n
	heap.Push(&p.agenda, e)
}

// after says whether the entry comes after a row.
func (e *entry) after(k known) bool {
	return cmp.Or(cmp.Compare(e.at, k.at), cmp.Compare(e.turn, tellTurn), strings.Compare(e.id, k.id)) > 0
}

// agenda is a heap of what is due.
type agenda []entry

func (a agenda) Len() int { return len(a) }
func (a agenda) Less(i, j int) bool {
	x, y := &a[i], &a[j]
	return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(x.turn, y.turn), strings.Compare(x.id, y.id), cmp.Compare(x.n, y.n)) < 0
}
func (a agenda) Swap(i, j int) { a[i], a[j] = a[j], a[i] }
func (a *agenda) Push(x any)   { *a = append(*a, x.(entry)) }
func (a *agenda) Pop() any {
	old := *a
	e := old[len(old)-1]
	old[len(old)-1] = entry{}
	*a = old[:len(old)-1]
	return e
}
