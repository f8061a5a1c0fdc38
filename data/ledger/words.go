package ledger

var kindNames = [...]string{Event: "event", Webhook: "webhook", Decision: "decision", Outcome: "outcome", Answer: "answer", Result: "result",
	Erasure: "erasure", Checkpoint: "checkpoint", KeyChange: "key_change"}

func (k Kind) String() string {
	if k == 0 || int(k) >= len(kindNames) {
		return ""
	}
	return kindNames[k]
}
