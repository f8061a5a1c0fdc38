// Package table reads any CSV, JSONL, Parquet or Arrow IPC file as named, typed
// columns in chunks of bounded size, so that a file larger than memory is no
// special case.
//
// Open sniffs the format, Columns says what is there, Profile looks at every
// cell once, and Frames and FramesAs stream the columns, as often as asked for
// and in the order of the file.
//
// Text is taken as it is: no trimming, no case folding, nothing filled in. CSV
// is RFC 4180 with LF or CRLF; a cell with nothing in it is null. JSONL is one
// object a line (RFC 8259), nested objects being columns with dotted names. A
// record that breaks the rules refuses the file with the line where it begins,
// unless Options.Reject takes it. Text may be packed with gzip or zstd, in any
// number of pieces and under any name; lines are those of the text, and a
// stream that is cut off or damaged refuses the file.
//
// Parquet and Arrow have types: what a file claims of lengths, counts and sizes
// is checked before memory is asked for, the rows must be as many as it states,
// a value that does not fit puts its row aside, and a column of a type, codec or
// encoding that is not read is refused by name, and only where it is asked for.
package table
