package score

import (
	"slices"

	"github.com/goccy/go-yaml/ast"

	"recoup/data"
	"recoup/features"
)

// window is a stretch of the day, in India, at which something is not done:
// [at, until), over midnight where until is before at.
type window struct {
	dated
	contact   bool      // links and nudges; else retries
	rail      data.Rail // 0 = any
	at, until data.Micros
}

// end is when the window that holds at a time ends; 0 = it does not hold then.
func (w *window) end(at data.Micros) data.Micros {
	if !w.holds(at) {
		return 0
	}
	tod := at.ISTTimeOfDay()
	midnight := at - tod
	switch {
	case w.at < w.until:
		if tod >= w.at && tod < w.until {
			return midnight + w.until
		}
	case tod >= w.at:
		return midnight + data.Day + w.until
	case tod < w.until:
		return midnight + w.until
	}
	return 0
}

// closed are days on which a rail does not clear.
type closed struct {
	dated
	rail      data.Rail
	sundays   bool
	saturdays []int   // of the month, 1 to 5
	days      []int64 // day numbers in India, rising
}

// on says whether the day that holds a time is closed.
func (c *closed) on(at data.Micros) bool {
	if !c.holds(at) {
		return false
	}
	day := at.ISTDay()
	switch (day + 3) % 7 { // 1 January 1970 was a Thursday
	case 6:
		if c.sundays {
			return true
		}
	case 5:
		_, _, d := at.ISTDate()
		if slices.Contains(c.saturdays, (d-1)/7+1) {
			return true
		}
	}
	_, found := slices.BinarySearch(c.days, day)
	return found
}

// stop are the answers of a network after which no debit follows.
type stop struct {
	dated
	network          features.Network
	response, advice []features.Code
}

func (y *yamlFile) windows(n ast.Node, p *Policy) {
	rails := words(data.Rails())
	y.list(n, "windows", func(n ast.Node) {
		var w window
		k := w.keys(y, "window")
		k["what"] = func(n ast.Node) {
			w.contact = yamlWord(y, n, "window: what", map[string]bool{"retry": false, "contact": true})
		}
		k["rail"] = func(n ast.Node) { w.rail = yamlWord(y, n, "window: rail", rails) }
		k["at"] = func(n ast.Node) { w.at = y.timeOfDay(n, "window: at") }
		k["until"] = func(n ast.Node) { w.until = y.timeOfDay(n, "window: until") }
		y.mapping(n, "window", k, "rail", "to")
		w.check(y, n, "window")
		if w.at == w.until {
			y.fault(n, "window: it ends when it begins: expected two times of day")
		}
		p.windows = append(p.windows, w)
	})
}

func (y *yamlFile) holidays(n ast.Node, p *Policy) {
	rails := words(data.Rails())
	y.list(n, "holidays", func(n ast.Node) {
		var c closed
		k := c.keys(y, "holidays")
		k["rail"] = func(n ast.Node) { c.rail = yamlWord(y, n, "holidays: rail", rails) }
		k["sundays"] = func(n ast.Node) {
			c.sundays = yamlWord(y, n, "holidays: sundays", map[string]bool{"true": true, "false": false})
		}
		k["saturdays"] = func(n ast.Node) { c.saturdays = y.numbers(n, "holidays: saturdays", 1, 5) }
		k["days"] = func(n ast.Node) {
			y.list(n, "holidays: days", func(n ast.Node) {
				day := y.date(n, "holidays: days").ISTDay()
				if len(c.days) > 0 && day <= c.days[len(c.days)-1] {
					y.fault(n, "holidays: days: expected dates in rising order")
				}
				c.days = append(c.days, day)
			})
		}
		y.mapping(n, "holidays", k, "saturdays", "days", "to")
		c.check(y, n, "holidays")
		p.holidays = append(p.holidays, c)
	})
}

func (y *yamlFile) stops(n ast.Node, p *Policy) {
	networks := words(features.Networks())
	y.list(n, "stops", func(n ast.Node) {
		var s stop
		codes := func(to *[]features.Code, what string) func(ast.Node) {
			return func(n ast.Node) {
				y.list(n, what, func(n ast.Node) { *to = append(*to, y.code(n, what)) })
			}
		}
		k := s.keys(y, "stop")
		k["network"] = func(n ast.Node) { s.network = yamlWord(y, n, "stop: network", networks) }
		k["response"] = codes(&s.response, "stop: response")
		k["advice"] = codes(&s.advice, "stop: advice")
		y.mapping(n, "stop", k, "response", "advice", "to")
		s.check(y, n, "stop")
		if len(s.response)+len(s.advice) == 0 {
			y.fault(n, "stop: expected codes: response, advice or both")
		}
		p.stops = append(p.stops, s)
	})
}
