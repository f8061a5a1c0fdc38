package pages

import (
	"context"
	"errors"
	"net/http"

	"recoup/api/live"
	"recoup/data"
)

// Present is where the pages about a tenant's cases get what they show. Its funcs are
// called by requests at the same time.
type Present struct {
	Queue func(ctx context.Context) ([]live.Escalation, error)
	Due   func(ctx context.Context, t data.Micros) (live.List, error)
	Case  func(ctx context.Context, caseID string) (live.Timeline, error)
	Trail func(ctx context.Context, decisionID string) (live.Trail, error)
	// Resolve records what a person says of an escalation; nil = nothing is recorded,
	// and no form is shown.
	Resolve func(ctx context.Context, decisionID string, c live.Change) error
	// Verify walks the whole chain. What is broken is told in the Chain and is no error.
	Verify func(ctx context.Context) (Chain, error)
	// Status is the HTTP status that an error of the others is to a caller: 404, 409,
	// 503 or 500.
	Status func(error) int
}

func (p *Present) check() error {
	if p.Queue == nil || p.Due == nil || p.Case == nil || p.Trail == nil || p.Verify == nil || p.Status == nil {
		return errors.New("pages: a present without one of Queue, Due, Case, Trail, Verify, Status")
	}
	return nil
}

// presentMenu are the items of the menu that need a ledger.
var presentMenu = []link{{"/queue", "Queue"}, {"/due", "Due"}, {"/case", "Cases"}, {"/chain", "Chain"}}

// recorded is a handler that needs a ledger; without one its page says so.
func (s *site) recorded(h handler) handler {
	if s.src.Present != nil {
		return h
	}
	return func(*http.Request) view {
		return failed(http.StatusNotFound, "Nothing is recorded", "This server keeps no ledger, so it has no cases of its own.",
			"recoup serve keeps one unless it is told --ledger none.")
	}
}

// trouble is the page for an error of the present.
func (s *site) trouble(r *http.Request, nav string, err error) view {
	var v view
	switch s.src.Present.Status(err) {
	case http.StatusNotFound:
		v = failed(http.StatusNotFound, "Not known", "Neither the ledger nor the event log tells of it.", "Ids are taken exactly as they were posted, capital letters included.")
	case http.StatusConflict:
		v = failed(http.StatusConflict, "Somebody was faster", "Somebody else changed it meanwhile, and nothing was recorded.", "Look at what it says now, then answer again.")
	case http.StatusServiceUnavailable:
		v = failed(http.StatusServiceUnavailable, "The ledger is out of reach", "The ledger does not answer. Nothing was changed.", "Try again in a moment; if it stays, the server's log has the cause.")
	default:
		v = s.broken(r, err)
	}
	v.Nav = nav
	return v
}
