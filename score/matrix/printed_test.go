// Package matrix holds the gate to what it prints. A second evaluator, slow and
// plain, reads the table of score.Policy and decides from that and the facts alone;
// it shares no code with the gate.
package matrix

import (
	"encoding/json"
	"testing"
	"time"

	"recoup/data"
	"recoup/score"
)

// number is one of the table's numbers, and whom it is for.
type number struct {
	ID       string `json:"id"`
	Rail     string `json:"rail"`
	Network  string `json:"network"`
	Category string `json:"category"`
	Code     string `json:"code"`
	Reason   string `json:"reason"`
	Value    int64  `json:"value"`
	inForce
}

// printed is the table as its JSON tells it, with what is needed to decide.
type printed struct {
	Horizon int64 `json:"horizon_days"`
	Grid    struct {
		Days         int64   `json:"days"`
		ContactHours []int64 `json:"contact_hours"`
	} `json:"grid"`
	Rules []struct {
		ID      string `json:"id"`
		About   string `json:"about"`
		Refuses string `json:"refuses"`
		Route   string `json:"route"`
		inForce
	} `json:"rules"`
	Numbers []number            `json:"numbers"`
	byID    map[string][]number // the numbers again, in their order
	Stops   []struct {
		Network  string   `json:"network"`
		Response []string `json:"response"`
		Advice   []string `json:"advice"`
		inForce
	} `json:"stops"`
	Windows []struct {
		What  string    `json:"what"`
		Rail  string    `json:"rail"`
		At    timeOfDay `json:"at"`
		Until timeOfDay `json:"until"`
		inForce
	} `json:"windows"`
	Holidays []struct {
		Rail      string `json:"rail"`
		Sundays   bool   `json:"sundays"`
		Saturdays []int  `json:"saturdays"`
		Days      []day  `json:"days"`
		inForce
	} `json:"holidays"`
	Classes []class `json:"classes"`
	Reasons []struct {
		Reason  string `json:"reason"`
		Class   string `json:"class"`
		Cause   string `json:"cause"`
		MinWait int64  `json:"min_wait_hours"`
	} `json:"reasons"`
}

type class struct {
	Class    string `json:"class"`
	Retry    string `json:"retry"`
	Link     string `json:"payment_link"`
	Nudge    string `json:"nudge"`
	LinkKind string `json:"link_kind"`
	Nudges   string `json:"nudge_kind"`
	Escalate string `json:"escalate"`
	Instead  string `json:"instead"`
}

// day is a calendar day in India, by the days since 1970-01-01.
type day int64

func (d *day) UnmarshalText(b []byte) error {
	t, err := time.Parse(time.DateOnly, string(b))
	*d = day(t.Unix() / 86400)
	return err
}

// timeOfDay is in microseconds after midnight.
type timeOfDay int64

func (c *timeOfDay) UnmarshalText(b []byte) error {
	t, err := time.Parse("15:04", string(b))
	*c = timeOfDay(t.Hour()*3600+t.Minute()*60) * 1e6
	return err
}

type inForce struct {
	From day  `json:"from"`
	To   *day `json:"to"`
}

func (f inForce) holds(d day) bool { return d >= f.From && (f.To == nil || d < *f.To) }

const (
	second = 1_000_000
	minute = 60 * second
	hour   = 60 * minute
	days   = 24 * hour
	india  = 5*hour + 30*minute
)

func dayOf(t data.Micros) day             { return day((int64(t) + india) / days) }
func timeOfDayOf(t data.Micros) timeOfDay { return timeOfDay((int64(t) + india) % days) }

// startOf is the midnight in India that begins a day.
func startOf(d day) data.Micros { return data.Micros(int64(d)*days - india) }

// printedOf reads a policy's table back from its JSON.
func printedOf(t testing.TB, p *score.Policy) *printed {
	t.Helper()
	text, err := json.Marshal(p.Table())
	if err != nil {
		t.Fatal(err)
	}
	var out printed
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	out.byID = map[string][]number{}
	for _, n := range out.Numbers {
		out.byID[n.ID] = append(out.byID[n.ID], n)
	}
	return &out
}
