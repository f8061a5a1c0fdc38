package data

import "fmt"

// Action is what recoup can do about a case. The zero Action is none.
type Action uint8

// The five actions. Wait is the priced do-nothing.
const (
	Wait Action = iota + 1
	Retry
	PaymentLink
	Nudge
	Escalate
)

var actionNames = []string{"", "wait", "retry", "payment_link", "nudge", "escalate"}

func (a Action) String() string { return nameOf(actionNames, a) }

// Actions lists every action in stored order.
func Actions() []Action { return values[Action](actionNames) }

// ParseAction is the inverse of String; an unknown name is an error.
func ParseAction(s string) (Action, error) { return parse[Action]("action", actionNames, s) }

// Route is what a refusal becomes: an action of a kind. The zero Route is none.
type Route uint8

// The nine routes.
const (
	ReMandateLink Route = iota + 1
	AFAPaymentLink
	PlainLink
	MandateUpgrade
	Winback
	Authenticate
	HumanReview
	MerchantAlertRoute
	StatusPoll
)

var routeNames = []string{"", "re_mandate_link", "afa_payment_link", "plain_link", "mandate_upgrade", "winback",
	"authenticate", "human_review", "merchant_alert", "status_poll"}

func (r Route) String() string { return nameOf(routeNames, r) }

// ParseRoute is the inverse of String.
func ParseRoute(s string) (Route, error) { return parse[Route]("route", routeNames, s) }

// Action is the action that carries the route out.
func (r Route) Action() Action {
	switch r {
	case ReMandateLink, AFAPaymentLink, PlainLink:
		return PaymentLink
	case MandateUpgrade, Winback, Authenticate:
		return Nudge
	case HumanReview, MerchantAlertRoute:
		return Escalate
	case StatusPoll:
		return Wait
	}
	return 0
}

// Candidate is an action at a time.
type Candidate struct {
	Action Action
	At     Micros // when the action happens; for Wait, the decision time
}

func (c Candidate) String() string { return fmt.Sprintf("%s@%s", c.Action, c.At) }
