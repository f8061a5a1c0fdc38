// Package features looks back: it folds the event log into a State, answers
// exact Facts about a case from it, and turns a case and a candidate into the
// row of numbers that a model reads.
//
// Everything a row uses was visible at its as_of, a cursor: events up to it
// count, by known_at and seq; occurred_at only says where in a window an event
// lies. State, columns and rows are the same code for training tables and for
// serving; a Past is the frozen answer of a State about one case, so a table
// made in one pass over the log holds exactly the rows that serving would have
// computed at the time.
//
// What is heard of a charge or an attempt before itself counts from when it comes:
// notices, promises and status checks for ten days, what closes a case for as
// long as an owed charge is remembered. After that it is forgotten.
//
// Build replays the log once for each bucket of customers and writes two
// tables: attempts (one row a retry) and periods (one row a day of a failed
// case at risk). What became of an attempt is looked up in package labels,
// which no column can reach.
package features
