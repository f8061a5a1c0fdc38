package data

// Rail is the road a payment takes.
type Rail uint8

// The five rails.
const (
	UPIAutopay Rail = iota + 1
	Card
	EMandate
	Netbanking
	Wallet
)

var railNames = []string{"", "upi_autopay", "card", "emandate", "netbanking", "wallet"}

func (r Rail) String() string { return nameOf(railNames, r) }

// Rails lists every rail.
func Rails() []Rail { return values[Rail](railNames) }

// ParseRail is the inverse of String.
func ParseRail(s string) (Rail, error) { return parse[Rail]("rail", railNames, s) }

// Horizon is H: how long after its presentation a capture still counts as the
// attempt's success, unless a mapping states another.
func (r Rail) Horizon() Micros {
	if r == EMandate {
		return 5 * Day
	}
	return 2 * Day
}

// AttemptStatus is what became of an attempt, as far as an event knew.
type AttemptStatus uint8

// The statuses of an attempt. AuthorizedLate is a success that followed a failure.
const (
	Captured AttemptStatus = iota + 1
	Failed
	Pending
	AuthorizedLate
	Refunded
)

var attemptStatusNames = []string{"", "captured", "failed", "pending", "authorized_late", "refunded"}

func (s AttemptStatus) String() string { return nameOf(attemptStatusNames, s) }

// ParseAttemptStatus is the inverse of String.
func ParseAttemptStatus(s string) (AttemptStatus, error) {
	return parse[AttemptStatus]("attempt status", attemptStatusNames, s)
}

// Paid reports whether the status says that the money came in.
func (s AttemptStatus) Paid() bool { return s == Captured || s == AuthorizedLate }

// Initiator is who presented an attempt; 0 is unknown.
type Initiator uint8

// The initiators.
const (
	ByRecoup Initiator = iota + 1
	ByProvider
	ByCustomer
)

var initiatorNames = []string{"", "recoup", "provider", "customer"}

func (i Initiator) String() string { return nameOf(initiatorNames, i) }

// ParseInitiator is the inverse of String.
func ParseInitiator(s string) (Initiator, error) {
	return parse[Initiator]("initiator", initiatorNames, s)
}

// CaseEventKind ends a case without an attempt of ours.
type CaseEventKind uint8

// The kinds of case event.
const (
	PaidElsewhere CaseEventKind = iota + 1
	Disputed
	CaseCancelled
	WrittenOff
)

var caseEventNames = []string{"", "paid_elsewhere", "disputed", "cancelled", "written_off"}

func (k CaseEventKind) String() string { return nameOf(caseEventNames, k) }

// ParseCaseEventKind is the inverse of String.
func ParseCaseEventKind(s string) (CaseEventKind, error) {
	return parse[CaseEventKind]("case event", caseEventNames, s)
}

// SubscriptionStatus follows Razorpay's subscription entity.
type SubscriptionStatus uint8

// The statuses of a subscription.
const (
	SubCreated SubscriptionStatus = iota + 1
	SubAuthenticated
	SubActive
	SubPending
	SubHalted
	SubPaused
	SubCancelled
	SubCompleted
	SubExpired
)

var subscriptionNames = []string{"", "created", "authenticated", "active", "pending", "halted", "paused", "cancelled",
	"completed", "expired"}

func (s SubscriptionStatus) String() string { return nameOf(subscriptionNames, s) }

// ParseSubscriptionStatus is the inverse of String.
func ParseSubscriptionStatus(s string) (SubscriptionStatus, error) {
	return parse[SubscriptionStatus]("subscription status", subscriptionNames, s)
}

// MandateStatus is the state of a mandate.
type MandateStatus uint8

// The states of a mandate.
const (
	MandateActive MandateStatus = iota + 1
	MandatePaused
	MandateRevoked
	MandateExpired
)

var mandateNames = []string{"", "active", "paused", "revoked", "expired"}

func (s MandateStatus) String() string { return nameOf(mandateNames, s) }

// ParseMandateStatus is the inverse of String.
func ParseMandateStatus(s string) (MandateStatus, error) {
	return parse[MandateStatus]("mandate status", mandateNames, s)
}

// NoticeKind is what was sent to the customer: the pre-debit notice, or a
// payment link or nudge by its route.
type NoticeKind uint8

// The kinds of notice.
const (
	PreDebit NoticeKind = iota + 1
	NoticeReMandateLink
	NoticeAFAPaymentLink
	NoticePlainLink
	NoticeMandateUpgrade
	NoticeWinback
	NoticeAuthenticate
)

var noticeNames = []string{"", "pre_debit", "re_mandate_link", "afa_payment_link", "plain_link", "mandate_upgrade",
	"winback", "authenticate"}

func (k NoticeKind) String() string { return nameOf(noticeNames, k) }

// ParseNoticeKind is the inverse of String.
func ParseNoticeKind(s string) (NoticeKind, error) {
	return parse[NoticeKind]("notice kind", noticeNames, s)
}

// Action is PaymentLink or Nudge; 0 for the pre-debit notice, which is no contact.
func (k NoticeKind) Action() Action {
	switch {
	case k >= NoticeReMandateLink && k <= NoticePlainLink:
		return PaymentLink
	case k >= NoticeMandateUpgrade && k <= NoticeAuthenticate:
		return Nudge
	}
	return 0
}

// NoticeStatus is how far a notice got.
type NoticeStatus uint8

// The statuses of a notice.
const (
	NoticeSent NoticeStatus = iota + 1
	NoticeDelivered
	NoticeFailed
	NoticeOptedOut
)

var noticeStatusNames = []string{"", "sent", "delivered", "failed", "opted_out"}

func (s NoticeStatus) String() string { return nameOf(noticeStatusNames, s) }

// ParseNoticeStatus is the inverse of String.
func ParseNoticeStatus(s string) (NoticeStatus, error) {
	return parse[NoticeStatus]("notice status", noticeStatusNames, s)
}

// PollStatus is the answer to a status check.
type PollStatus uint8

// The answers to a poll.
const (
	PollCaptured PollStatus = iota + 1
	PollFailed
	PollPending
	PollUnknown
)

var pollNames = []string{"", "captured", "failed", "pending", "unknown"}

func (s PollStatus) String() string { return nameOf(pollNames, s) }

// ParsePollStatus is the inverse of String.
func ParsePollStatus(s string) (PollStatus, error) {
	return parse[PollStatus]("poll status", pollNames, s)
}

// PromiseStatus is the state of a promise to pay.
type PromiseStatus uint8

// The states of a promise.
const (
	PromiseMade PromiseStatus = iota + 1
	PromiseKept
	PromiseBroken
)

var promiseNames = []string{"", "made", "kept", "broken"}

func (s PromiseStatus) String() string { return nameOf(promiseNames, s) }

// ParsePromiseStatus is the inverse of String.
func ParsePromiseStatus(s string) (PromiseStatus, error) {
	return parse[PromiseStatus]("promise status", promiseNames, s)
}

// DowntimeStatus is one version of an outage.
type DowntimeStatus uint8

// The statuses of a downtime.
const (
	DowntimeScheduled DowntimeStatus = iota + 1
	DowntimeStarted
	DowntimeUpdated
	DowntimeResolved
	DowntimeCancelled
)

var downtimeNames = []string{"", "scheduled", "started", "updated", "resolved", "cancelled"}

func (s DowntimeStatus) String() string { return nameOf(downtimeNames, s) }

// ParseDowntimeStatus is the inverse of String.
func ParseDowntimeStatus(s string) (DowntimeStatus, error) {
	return parse[DowntimeStatus]("downtime status", downtimeNames, s)
}

// Severity of a downtime.
type Severity uint8

// The severities: low = cause unknown, small impact; high = issuer, bank or network down.
const (
	SeverityLow Severity = iota + 1
	SeverityMedium
	SeverityHigh
)

var severityNames = []string{"", "low", "medium", "high"}

func (s Severity) String() string { return nameOf(severityNames, s) }

// ParseSeverity is the inverse of String.
func ParseSeverity(s string) (Severity, error) { return parse[Severity]("severity", severityNames, s) }

// Arm is the policy that a case was put under.
type Arm uint8

// The arms. Control is the merchant's own ladder inside the gate.
const (
	ArmRules Arm = iota + 1
	ArmModel
	ArmExplorer
	ArmControl
)

var armNames = []string{"", "rules", "model", "explorer", "control"}

func (a Arm) String() string { return nameOf(armNames, a) }

// ParseArm is the inverse of String.
func ParseArm(s string) (Arm, error) { return parse[Arm]("arm", armNames, s) }
