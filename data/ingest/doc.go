// Package ingest turns other people's files into an event log.
//
// A mapping file (YAML) says which column is which field, what unit money is
// in, in which zone a clock without one stood, and how attempts form cases.
// Load reads and checks it whole. Show applies it to one file and hands the
// mapped rows out; Run applies it to files and commits the rows to a log, all
// of them or none.
//
// Nothing is guessed: a row with a value that cannot be read, or that the
// vocabulary does not know, is put aside with its line, column and reason, and
// every row read is counted as taken, put aside or duplicate. A file that
// cannot be trusted as a whole (a quote never closed, a column twice, a page
// that does not decode) is refused, and then nothing of the run is taken over.
package ingest
