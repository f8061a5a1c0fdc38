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
//
// # The event log
//
// A Writer takes rows of any table in any order, sorts them, drops duplicates,
// numbers them and publishes them by Commit; OpenLog pins what is published and
// Scan reads it in cursor order. In the log's folder D:
//
//	events/manifest.json                                        what the log holds
//	events/attempts/known_date=2026-01-31/part-000000000000-5a0f3c21.parquet
//	events/...                                                  ten tables
//	events/.lock                                                flock(2) of the writer
//	events/.staging/                                            a commit under way
//
// The manifest is JSON: format (1), generation (1, 2, ...: commits that added
// rows), schema (SchemaID of all tables), currency, horizon_us, known_at_assumed,
// ingest (rows added and duplicates dropped by that generation's commit) and
// files, by table and then by min cursor: table, path, sha256, rows, bytes, min
// and max cursor, last_seq. Unknown keys are refused. A file that no manifest
// names does not exist for a reader; the next writer removes it.
//
// A commit writes the parts in .staging, renames them to their place, syncs
// the folders, and then renames the manifest over the old one. So a death at
// any moment leaves the old generation or the new one, and doing the commit
// again gives the same bytes. Parts are never changed; a reader that pinned an
// older manifest goes on reading it.
//
// # Order, numbers and duplicates
//
// seq goes on from the log's highest, by (known_at, event_id) over all tables of
// a commit; event_id is compared as bytes. Neither the order of Add nor the
// memory at hand shows in the bytes. Dropped and counted are: a row whose
// event_id the log has, in any table or generation, and an attempt whose
// attempt_id the log has with the same status. In one commit the lower cursor
// stays; between commits the older.
//
// The sort holds 32 MiB of encoded rows and spills further ones; duplicates take
// 17 bytes for each event_id and as much for each attempt of the log.
//
// # Parts
//
// A part is a Parquet file of consecutive rows of a table, named by the seq of
// its first row and the first 8 digits of its SHA-256. known_date is the UTC
// date of known_at of the FIRST row: a part with fewer than 131072 rows goes on
// over the following days, so read the manifest's cursors, and do not filter by
// the folder's name. (A file a day made a year of six quiet tables 2436 files of
// 26 MB, opened in 0.6 s of processor time; this way they are 7 of 4 MB, in
// 0.01 s.) Parts of one commit follow each other; late rows of a later commit
// make parts that overlap older ones, which Scan merges.
//
// A part has at most 1048576 rows, in row groups of 131072 and pages of about
// 256 KiB, version 1, each with a CRC, compressed by zstd (nothing else is read).
// Columns and their order are in tables.go, their only home:
//
//	whole numbers, money   INT64 or INT32, DELTA_BINARY_PACKED; money is paise, never decimal or float
//	times                  INT64 TIMESTAMP(MICROS, UTC), DELTA_BINARY_PACKED
//	ids                    BYTE_ARRAY STRING, PLAIN: they repeat too little within a row group for a dictionary
//	words, texts of few levels  BYTE_ARRAY STRING, RLE_DICTIONARY; words by their wire name
//	probabilities          DOUBLE, PLAIN
//	yes and no             BOOLEAN, PLAIN
//	allowed, refusals      LIST of groups: required, repeated "list", required "element"
//
// Optional columns are OPTIONAL and a null is a null, not a zero: P and EV of an
// Option are pointers because their zero is a value; no other optional column
// has a meaningful zero. Before a part is read its size, SHA-256, row count and
// schema are checked, by name, physical and logical type and optionality: a
// column that is missing or of another type would be read as zeros or converted
// in silence.
//
// # Frames
//
// CreateFrames writes any flat table to one Parquet file of the same make, with
// texts by dictionary and numbers of a Frame as DOUBLE, INT64, BOOLEAN or
// TIMESTAMP(MICROS, UTC); OpenFrames reads what CreateFrames wrote.
package data
