package features

import (
	"strings"

	"recoup/data"
	"recoup/features/key"
)

// kind says which table an event came from.
type kind uint8

const (
	kindAttempt kind = iota + 1
	kindCaseEvent
	kindSubscription
	kindMandate
	kindNotice
	kindPoll
	kindPromise
	kindDowntime
)

// event is a row of the log made ready to fold: ids hashed once, texts turned
// into levels once. One struct serves all tables; unused fields are zero.
//
// What every shard needs of everybody's events comes first, in one cache line.
type event struct {
	cursor    data.Cursor
	occurred  data.Micros
	customer  key.ID
	bank      uint64 // any bank's own number; 0 = none
	no        int32
	kind      kind
	status    uint8 // of the table's own words
	what      uint8 // notice kind, case event kind, severity
	initiator data.Initiator
	rail      data.Rail
	reason    data.Reason

	bankLevel, networkLevel, sourceLevel, stepLevel, adviceLevel, responseLevel, capLevel uint8

	oneApp           bool     // of a downtime: its psp is named
	category         Category // of a mandate
	response, advice Code     // of a failed attempt

	caseKey  key.ID
	subject  key.ID // attempt, mandate, subscription or downtime
	mandate  key.ID
	sub      key.ID
	amount   data.Paise
	from, to data.Micros // downtime, mandate and cycle bounds; notice: debit; promise: due

	caseID, customerID string // attempts only
}

func (e *event) stamp() data.Micros { return min(e.occurred, e.cursor.KnownAt) }

func head(e *data.Event, k kind) event {
	return event{cursor: e.Cursor(), occurred: e.OccurredAt, kind: k}
}

// speller remembers the levels and numbers of the texts it has met, as long as
// they are few.
type speller struct{ seen map[word]spelling }

type word struct {
	levels *string // the vocabulary, by its first element
	text   string
}

type spelling struct {
	number uint64
	level  uint8
}

const spellerSize = 1 << 12

func (s *speller) spell(levels []string, text string) spelling {
	if text == "" {
		return spelling{}
	}
	w := word{&levels[0], text}
	if x, ok := s.seen[w]; ok {
		return x
	}
	x := spelling{key.Of(text).Lo, spelled(levels, text)}
	if s.seen == nil {
		s.seen = map[word]spelling{}
	}
	if len(s.seen) < spellerSize {
		w.text = strings.Clone(text)
		s.seen[w] = x
	}
	return x
}

func (s *speller) attempt(a *data.Attempt, out *event) {
	*out = head(&a.Event, kindAttempt)
	out.customer, out.caseKey, out.subject = key.Of(a.CustomerID), key.Of(a.CaseID), key.Of(a.AttemptID)
	out.mandate, out.sub = key.Of(a.MandateID), key.Of(a.SubscriptionID)
	bank := s.spell(bankLevels, a.Bank)
	out.bank, out.bankLevel = bank.number, bank.level
	out.amount, out.no = a.Amount, a.AttemptNo
	out.status, out.initiator, out.rail, out.reason = uint8(a.Status), a.Initiator, a.Rail, a.Reason
	out.caseID, out.customerID = a.CaseID, a.CustomerID
	out.networkLevel = s.spell(networkLevels, a.Network).level
	if a.Status == data.Failed {
		out.sourceLevel, out.stepLevel = s.spell(sourceLevels, a.Source).level, s.spell(stepLevels, a.Step).level
		out.adviceLevel = s.spell(adviceLevels, a.AdviceCode).level
		out.responseLevel = s.spell(responseLevels, a.ResponseCode).level
		out.response, out.advice = CodeOf(a.ResponseCode), CodeOf(a.AdviceCode)
	}
}

func caseEvent(c *data.CaseEvent, out *event) {
	*out = head(&c.Event, kindCaseEvent)
	out.caseKey, out.what = key.Of(c.CaseID), uint8(c.Kind)
}

func subscriptionEvent(s *data.Subscription, out *event) {
	*out = head(&s.Event, kindSubscription)
	out.subject, out.customer, out.status = key.Of(s.SubscriptionID), key.Of(s.CustomerID), uint8(s.Status)
	out.from, out.to = s.CycleStart, s.CycleEnd
}

func (s *speller) mandate(m *data.Mandate, out *event) {
	*out = head(&m.Event, kindMandate)
	out.subject, out.customer, out.status, out.rail = key.Of(m.MandateID), key.Of(m.CustomerID), uint8(m.Status), m.Rail
	out.from, out.to, out.amount = m.CreatedAt, m.ValidUntil, m.MaxAmount
	out.capLevel = s.spell(capLevels, m.Category).level
	out.category = CategoryOf(m.Category)
}

func noticeEvent(n *data.Notice, out *event) {
	*out = head(&n.Event, kindNotice)
	out.caseKey, out.mandate = key.Of(n.CaseID), key.Of(n.MandateID)
	out.what, out.status, out.amount, out.from = uint8(n.Kind), uint8(n.Status), n.Amount, n.DebitAt
}

func pollEvent(p *data.Poll, out *event) {
	*out = head(&p.Event, kindPoll)
	out.subject, out.status = key.Of(p.AttemptID), uint8(p.Status)
}

func promiseEvent(p *data.Promise, out *event) {
	*out = head(&p.Event, kindPromise)
	out.caseKey, out.from, out.status = key.Of(p.CaseID), p.PromisedFor, uint8(p.Status)
}

func (s *speller) downtime(d *data.Downtime, out *event) {
	*out = head(&d.Event, kindDowntime)
	out.subject, out.rail, out.status, out.what = key.Of(d.DowntimeID), d.Rail, uint8(d.Status), uint8(d.Severity)
	out.bank, out.networkLevel = key.Of(d.Bank).Lo, s.spell(networkLevels, d.Network).level
	out.from, out.to, out.oneApp = d.Begin, d.End, d.PSP != ""
}
