// Package data is the vocabulary of recoup and the event log it is stored in.
//
// The vocabulary: a Case is a charge whose first attempt failed and which is
// still owed; an Attempt is one presentation of it; Action, Rail, Reason and
// Class are typed words with one wire name each; Paise is money, Micros is
// time, and a Cursor is a place in the order of knowing.
//
// Every event has occurred_at (when it happened), known_at (when it could have
// been used) and seq. (known_at, seq) is the cursor, a total order. An event is
// visible at as_of iff its cursor is not after as_of; nothing else counts.
package data
