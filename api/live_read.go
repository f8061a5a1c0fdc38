package api

import (
	"bytes"
	"encoding/json"
	"fmt"

	"recoup/data"
	"recoup/score"
)

// The bodies about the present are read as strictly as score.ParseRequest reads the
// others: every fault at once, with its path.

// nowWord stands as as_of for the present of the server.
const nowWord = "now"

// asksNow says whether a body is about the present: its as_of is "now". What is wrong
// with a body otherwise, its reader tells.
func asksNow(body []byte) bool {
	if !bytes.Contains(body, []byte(`"`+nowWord+`"`)) {
		return false
	}
	var head struct {
		AsOf json.RawMessage `json:"as_of"`
	}
	return json.Unmarshal(body, &head) == nil && string(head.AsOf) == `"`+nowWord+`"`
}

// asked is a body about the present.
type asked struct {
	caseID string
	events []data.AnyRow
}

var (
	nowKeys    = data.NewKeys("as_of", "case_id", "events")
	eventsKeys = data.NewKeys("events")
)

// readNow reads {"as_of": "now", "case_id": ..., "events": [...]}: one of the last two
// at least.
func readNow(body []byte, replay bool) (asked, []data.Fault) {
	r, faults := data.OpenJSON(body)
	if faults != nil {
		return asked{}, faults
	}
	var a asked
	seen, ok := r.Object(nowKeys, func(i int) {
		switch i {
		case 0:
			r.Text()
		case 1:
			a.caseID = readID(r)
		case 2:
			a.events = readRows(r, body, replay)
		}
	})
	if ok && seen&0b110 == 0 {
		r.At("case_id", "", "missing, and there are no events: give one of them")
	}
	return a, r.Faults()
}

// readEvents reads {"events": [...]}.
func readEvents(body []byte, replay bool) ([]data.AnyRow, []data.Fault) {
	r, faults := data.OpenJSON(body)
	if faults != nil {
		return nil, faults
	}
	var rows []data.AnyRow
	seen, ok := r.Object(eventsKeys, func(int) { rows = readRows(r, body, replay) })
	if ok {
		r.Missing(eventsKeys, seen, 0b1)
	}
	return rows, r.Faults()
}

func readID(r *data.JSONReader) string {
	id, ok := r.Text()
	if ok && id == "" {
		r.Fault("", "empty, but required")
	}
	if len(id) > data.MaxText {
		r.Fault("", "longer than %d bytes", data.MaxText)
	}
	return id
}

// readRows reads the rows to record.
func readRows(r *data.JSONReader, body []byte, replay bool) (rows []data.AnyRow) {
	stated := statedTimes(body, replay)
	n, _ := r.Array(func(i int) {
		if i >= score.MaxEvents {
			return
		}
		if i < len(stated) && stated[i] {
			r.At("known_at", "", "an event is known when the server has recorded it, so the server states known_at: leave it out (serve --replay takes it)")
		}
		row, hasSeq, ok := r.Row()
		switch {
		case !ok:
			return
		case hasSeq && !replay:
			r.At("seq", "", "the server gives it: leave it out")
		case row.Table == "decisions":
			r.At("table", "", "recoup records its decisions itself")
		case row.Table == "outcomes":
			r.At("table", "", "outcomes are posted to /v1/outcomes")
		}
		rows = append(rows, row)
	})
	switch {
	case n > score.MaxEvents:
		r.Fault("", "%d events: expected at most %d", n, score.MaxEvents)
	case n == 0:
		r.Fault("", "empty: expected one event or more")
	}
	return rows
}

// statedTimes says which events of a body state a known_at; nil = none, or they may.
func statedTimes(body []byte, replay bool) []bool {
	if replay || !bytes.Contains(body, []byte(`"known_at"`)) {
		return nil
	}
	var b struct {
		Events []map[string]json.RawMessage `json:"events"`
	}
	if json.Unmarshal(body, &b) != nil {
		return nil // an element is no object: told by the reader
	}
	out := make([]bool, len(b.Events))
	for i, e := range b.Events {
		_, out[i] = e["known_at"]
	}
	return out
}

// readRow reads a body that is one row of a table: its columns, without the table.
func readRow(body []byte, table string, replay bool) (data.AnyRow, []data.Fault) {
	r, faults := data.OpenJSON(body)
	if faults != nil {
		return data.AnyRow{}, faults
	}
	var head map[string]json.RawMessage
	if err := json.Unmarshal(body, &head); err != nil {
		r.Wrong("an object")
		return data.AnyRow{}, r.Faults()
	}
	for name, why := range map[string]string{"known_at": "the server states it: leave it out (serve --replay takes it)", "seq": "the server gives it: leave it out"} {
		if _, stated := head[name]; stated && !replay {
			faults = append(faults, data.Fault{Path: name, Message: why})
		}
	}
	if _, stated := head["table"]; stated {
		faults = append(faults, data.Fault{Path: "table", Message: fmt.Sprintf("the path says that it is a row of %s: leave it out", table)})
	}
	if len(faults) > 0 {
		return data.AnyRow{}, sorted(faults)
	}
	at := bytes.IndexByte(body, '{') // the first byte but white space
	r, faults = data.OpenJSON(append([]byte(fmt.Sprintf(`{"table":%q%s`, table, map[bool]string{true: ",", false: ""}[len(head) > 0])), body[at+1:]...))
	if faults != nil {
		return data.AnyRow{}, faults
	}
	row, _, _ := r.Row()
	return row, r.Faults()
}

func sorted(faults []data.Fault) []data.Fault {
	if len(faults) > 1 && faults[0].Path > faults[1].Path {
		faults[0], faults[1] = faults[1], faults[0]
	}
	return faults
}
