package api

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"recoup/data"
	"recoup/score"
)

// value is what may stand in a column.
func (c rowColumn) value() any {
	switch c.kind {
	case wholeColumn:
		return 0
	case shareColumn:
		return 1
	case paiseColumn:
		return 100
	case timeColumn:
		return "2026-01-05T10:00:00+05:30"
	case wordColumn:
		return c.words[0]
	case truthColumn:
		return false
	case listColumn:
		return []any{object(c.of)}
	}
	return "some"
}

func object(columns []rowColumn) map[string]any {
	out := map[string]any{}
	for _, c := range columns {
		out[c.name] = c.value()
	}
	return out
}

// faultsOf gives the faults of one row among a request that is sound without it.
func faultsOf(t *testing.T, row map[string]any) []data.Fault {
	t.Helper()
	request := Example()
	request["events"] = append(request["events"].([]any), row)
	request["case_id"] = "inv-102"
	b, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	_, faults := score.ParseRequest(b)
	return faults
}

// TestRowsAreDescribedAsTheyAreRead: every described column is taken, and every
// word of it; a required one is missed; none beside them is known.
func TestRowsAreDescribedAsTheyAreRead(t *testing.T) {
	for _, table := range rowTables() {
		columns := append(eventColumns(), table.columns...)
		whole := object(columns)
		whole["table"] = table.name
		delete(whole, "seq") // all or none; the example's have none
		if faults := faultsOf(t, whole); faults != nil {
			t.Errorf("%s: %v", table.name, faults)
		}
		for _, c := range columns {
			row := maps.Clone(whole)
			delete(row, c.name)
			if faults := faultsOf(t, row); (faults != nil) != c.required {
				t.Errorf("%s without %s: %v", table.name, c.name, faults)
			}
			for _, w := range c.words {
				row[c.name] = w
				if faults := faultsOf(t, row); strings.Contains(fmt.Sprint(faults), c.name) {
					t.Errorf("%s: %v", table.name, faults)
				}
			}
			row[c.name] = map[string]any{}
			if faults := faultsOf(t, row); faults == nil {
				t.Errorf("%s: an object passes for %s", table.name, c.name)
			}
		}
		whole["another"] = 1
		if faults := faultsOf(t, whole); len(faults) != 1 || !strings.Contains(faults[0].Path, "another") {
			t.Errorf("%s: an unknown column: %v", table.name, faults)
		}
	}
	if _, err := json.Marshal(rowTables()[0].row()); err != nil {
		t.Error(err)
	}
	// No table is forgotten: the reader names them all.
	faults := faultsOf(t, map[string]any{"table": "none"})
	for _, table := range rowTables() {
		if len(faults) != 1 || !strings.Contains(faults[0].Message, table.name) {
			t.Errorf("%s: %v", table.name, faults)
		}
	}
	_, listed, _ := strings.Cut(faults[0].Message, "expected one of ")
	if n := len(strings.Split(listed, ", ")); n != len(rowTables()) {
		t.Errorf("%d tables described, %d read: %s", len(rowTables()), n, faults[0].Message)
	}
}

func TestWordsAreWhole(t *testing.T) {
	if got := words(data.ParseRail); !slices.Equal(got, []string{"upi_autopay", "card", "emandate", "netbanking", "wallet"}) {
		t.Error(got)
	}
	for n, got := range map[int][]string{len(data.Actions()): words(data.ParseAction), len(data.Classes()): words(data.ParseClass), 4: words(data.ParseArm), 9: words(data.ParseRoute)} {
		if len(got) != n {
			t.Errorf("%d: %v", n, got)
		}
	}
}
