package ledger

import "testing"

// A row is named by its entry, whatever its body says or leaves out.
func TestRowHasTheNameOfItsEntry(t *testing.T) {
	e := Entry{Seq: 7, KnownAt: day(3), Kind: Event, Key: "the key", Body: []byte(`{"table":"polls","attempt_id":"a","status":"failed","occurred_at":"2026-01-02T00:00:00Z"}`)}
	row, ok, err := e.Row()
	if err != nil || !ok || row.EventID != "the key" || row.KnownAt != day(3) || row.Seq != 7 || row.OccurredAt != day(1) {
		t.Errorf("%+v, %v, %v", row.Event, ok, err)
	}
}
