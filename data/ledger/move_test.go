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
