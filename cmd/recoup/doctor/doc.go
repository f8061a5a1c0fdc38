// Package doctor reads an event log and says what it can and cannot support:
// training, the cure model, off-policy evaluation, a replay of the gate.
//
// Run makes two passes over the attempts (a short third one where charges that
// were paid at once have later attempts) and one over every other table, in
// memory that grows with cases, customers and retries, not with rows. What it
// counts for the slices of a night follows the rules of package features
// without computing a column; nothing is written.
package doctor
