// Package live is a tenant's present: what is known of every case now, what was
// decided about it and still stands, what is to be done, and who was asked.
//
// A Desk folds the tenant's event log (D/events) and then the entries of its
// ledger book that are not exported yet, in the order of their cursors, into the
// same features.State that the night job builds; an entry that is in both counts
// once. From then on it follows its book: an event is folded when it is
// durable, not before. So a decision on the state of a moment is the decision
// that the exported log gives for that moment, to the byte of its rows.
//
// # Locks
//
// Facts, Past, OpenCases and AsOf of a features.State change nothing of it (a test
// holds them to it under the race detector): many goroutines read it under a
// read lock, the book's follower folds under the write lock.
//
// # What stands
//
// A decision stands until its time comes and goes, an event of its case arrives that
// is no step of it (a pre-debit notice and a status check are), the gate refuses
// it, model or policy change, or the day's pass makes another. While it stands it
// is given again: nobody gets another draw by asking twice. Two that decide about one
// case at once name the same predecessor, and the ledger takes one of them.
package live
