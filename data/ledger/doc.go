// Package ledger keeps what may not be lost, doubled or rewritten: the events
// that were posted, the decisions that were made, the outcomes that were
// reported, and what people did about escalations. It is one SQL schema for
// SQLite (a file, the default) and PostgreSQL (a URL).
//
// A Ledger holds one Book a tenant. A Book is a chain of entries that is only
// ever appended to: each entry has a seq (1, 2, ...), a known_at that grows from
// entry to entry, and a hash over its own content and the hash before it. What
// is unique (an event, a decision, the n-th attempt of a case) is decided by
// UNIQUE keys of the database.
//
// # Time
//
// known_at is given by Append: the clock, or 1 µs after the entry before where the
// clock has not moved on. So AsOf(known_at) names the same prefix of a book
// as its seq does, and goes on doing so in the Parquet log that Export writes,
// where seq is another.
//
// # Writing
//
// One goroutine of a Ledger writes. It takes all the jobs that wait (at most 256, or
// 16 MB) and commits them at once, so that many callers share one sync of the disk; a job
// is in it as a whole or not at all. What was committed is delivered to the book's
// follower and then answered. On SQLite a job is a savepoint; to PostgreSQL the group
// goes in three round trips, as if nothing of it were there already, and what the UNIQUE
// keys turn away goes again one by one. Servers that share a PostgreSQL wait for the lock
// on the book's row, so seq and known_at grow in the order of the commits.
//
// # The chain
//
//	digest = SHA-256(salt | lp(case id) | lp(customer id) | body)       salt: 16 random bytes of the entry
//	record = "recoup-ledger-v1" 00 | lp(previous hash) | u64(seq) | u64(known_at) | lp(kind) | lp(key) | lp(key id) | digest
//	hash   = HMAC-SHA256(secret, record), or SHA-256(record) where there is no secret (key id "")
//
// lp is a u64 length and the bytes; u64 is big endian. The hash before the first
// is SHA-256("recoup-ledger-v1" 00 | lp(ledger id) | lp(tenant)). An erased entry
// has lost its salt, body and ids, not its digest: the chain still verifies.
package ledger
