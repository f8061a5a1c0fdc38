package ledger

import (
	"context"
	"errors"
	"strings"
	"testing"
)

func TestMoves(t *testing.T) {
	both(t, func(t *testing.T, url string) {
		b, _ := newBook(t, url)
		n := 0
		move := func(m Move) error {
			n++
			_, err := b.Append(context.Background(), Job{Drafts: []Draft{{Kind: Event, Key: strings.Repeat("e", n), Body: []byte(`1`), Move: &m}}})
			return err
		}
		state := func(id string, want AttemptState, seq int64) {
			t.Helper()
			a, ok, err := b.Attempt(context.Background(), id)
			if err != nil || ok != (want != 0) || a.State != want || a.Seq != seq {
				t.Errorf("%+v %t %v, expected state %d of entry %d", a, ok, err, want, seq)
			}
		}
		for _, c := range []struct {
			to     AttemptState
			byPoll bool
			is     AttemptState
		}{
			{Intended, false, Intended},
			{Intended, false, Intended},
			{Unknown, false, Unknown},
			{Captured, false, Unknown}, // only a poll leaves it
			{Failed, true, Failed},
			{Unknown, true, Failed}, // never back
			{Intended, false, Failed},
			{Captured, false, Captured}, // authorised late
			{Failed, true, Captured},
			{Refunded, false, Refunded},
			{Refunded, true, Refunded},
		} {
			before, _, _ := b.Attempt(context.Background(), "a1")
			if err := move(Move{CaseID: "c1", No: 1, AttemptID: "a1", To: c.to, ByPoll: c.byPoll}); err != nil {
				t.Fatal(err)
			}
			seq := before.Seq
			if c.is != before.State {
				seq = int64(n)
			}
			state("a1", c.is, seq)
		}
		if e := all(t, b); len(e) != n {
			t.Error("a move that moves nothing is an entry all the same:", len(e), n)
		}
		// a poll knows the attempt alone
		if err := move(Move{AttemptID: "nobody's", To: Captured, ByPoll: true}); err != nil {
			t.Error(err)
		}
		state("nobody's", 0, 0)
		if err := move(Move{CaseID: "c1", No: 2, AttemptID: "a2", To: Unknown}); err != nil {
			t.Error(err)
		}
		if err := move(Move{AttemptID: "a2", To: Captured, ByPoll: true}); err != nil {
			t.Error(err)
		}
		state("a2", Captured, int64(n))
		for _, c := range []struct {
			m    Move
			want string
		}{
			{Move{CaseID: "c1", No: 1, AttemptID: "a3", To: Failed}, `attempt 1 of case "c1" has another attempt_id than "a3"`},
			{Move{CaseID: "c1", No: 3, AttemptID: "a1", To: Refunded}, `attempt_id "a1" is attempt 1 of case "c1", not 3 of "c1"`},
			{Move{CaseID: "c2", No: 1, AttemptID: "a1", To: Refunded}, `not 1 of "c2"`},
		} {
			if err := move(c.m); !errors.Is(err, ErrConflict) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, expected: %s", err, c.want)
			}
		}
		state("a3", 0, 0)
	})
}

// What is told again of an attempt is passed over where it is the same attempt, and
// refused where the id or the number is another's, or where the row says what the first did not.
func TestMovesTwice(t *testing.T) {
	both(t, func(t *testing.T, url string) {
		b, _ := newBook(t, url)
		n := 0
		tell := func(id, caseID string, no int32, body string) (Receipt, error) {
			n++
			alike := func(was []byte) error {
				if string(was) != body {
					return errors.New("it said " + string(was))
				}
				return nil
			}
			d := Draft{Kind: Event, Key: strings.Repeat("e", n), Body: []byte(body), Claims: []Claim{{Name: "attempt " + id + " pending", Same: true, Alike: alike}},
				Move: &Move{CaseID: caseID, No: no, AttemptID: id, To: Intended}}
			done, err := b.Append(context.Background(), Job{Drafts: []Draft{d}})
			if err != nil {
				return Receipt{}, err
			}
			return done.Receipts[0], nil
		}
		for _, c := range []struct {
			id, caseID string
			no         int32
			body       string
			seq        int64  // 0 = refused
			want       string // why
		}{
			{"a1", "c1", 1, `1`, 1, ""},
			{"a1", "c1", 1, `1`, 1, ""},
			{"a1", "c1", 2, `1`, 0, `attempt_id "a1" is attempt 1 of case "c1", not 2 of "c1"`},
			{"a1", "c2", 1, `1`, 0, `attempt_id "a1" is attempt 1 of case "c1", not 1 of "c2"`},
			{"a1", "c1", 1, `2`, 0, `attempt a1 pending belongs to event "e", entry 1: it said 1`},
			{"hook", "", 0, `1`, 2, ""},   // without a number
			{"hook", "", 0, `1`, 2, ""},   // again
			{"hook", "c3", 1, `1`, 2, ""}, // and with one that is nobody's
			{"hook", "c1", 1, `1`, 0, `attempt 1 of case "c1" has another attempt_id than "hook"`},
			{"a2", "c1", 2, `1`, 3, ""}, // what was refused holds nothing
		} {
			r, err := tell(c.id, c.caseID, c.no, c.body)
			if c.seq == 0 && (!errors.Is(err, ErrConflict) || !strings.Contains(err.Error(), c.want)) || c.seq != 0 && (err != nil || r.Seq != c.seq) {
				t.Errorf("%+v: %+v %v", c, r, err)
			}
		}
		if e := all(t, b); len(e) != 3 {
			t.Error("entries:", len(e))
		}
	})
}
