-- +goose Up
CREATE TABLE ledger (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  id  TEXT NOT NULL
) STRICT;

-- A tenant's chain: its last entry, the secret of the next, and how far it was exported.
CREATE TABLE books (
  book     INTEGER PRIMARY KEY,
  tenant   TEXT NOT NULL UNIQUE,
  seq      INTEGER NOT NULL,
  known_at INTEGER NOT NULL,
  hash     BLOB NOT NULL,
  key_id   TEXT NOT NULL,
  exported INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE entries (
  book        INTEGER NOT NULL,
  seq         INTEGER NOT NULL,
  known_at    INTEGER NOT NULL,
  kind        INTEGER NOT NULL,
  key         TEXT NOT NULL,
  case_id     TEXT NOT NULL,
  customer_id TEXT NOT NULL,
  key_id      TEXT NOT NULL,
  digest      BLOB NOT NULL,
  hash        BLOB NOT NULL,
  salt        BLOB,
  body        BLOB,
  PRIMARY KEY (book, seq),
  UNIQUE (book, kind, key)
) STRICT;
CREATE INDEX entries_case ON entries (book, case_id, seq) WHERE case_id <> '';
CREATE INDEX entries_customer ON entries (book, customer_id, seq) WHERE customer_id <> '';

-- What a name belongs to.
CREATE TABLE claims (
  book INTEGER NOT NULL,
  name TEXT NOT NULL,
  seq  INTEGER NOT NULL,
  PRIMARY KEY (book, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE attempts (
  book       INTEGER NOT NULL,
  attempt_id TEXT NOT NULL,
  case_id    TEXT NOT NULL,
  no         INTEGER NOT NULL,
  state      INTEGER NOT NULL,
  seq        INTEGER NOT NULL,
  known_at   INTEGER NOT NULL,
  PRIMARY KEY (book, attempt_id),
  UNIQUE (book, case_id, no)
) STRICT, WITHOUT ROWID;

-- Answers kept for a while, to be given again. No part of the chain.
CREATE TABLE once (
  book        INTEGER NOT NULL,
  key         TEXT NOT NULL,
  fingerprint BLOB NOT NULL,
  at          INTEGER NOT NULL,
  status      INTEGER NOT NULL DEFAULT 0,
  body        BLOB,
  PRIMARY KEY (book, key)
) STRICT;
CREATE INDEX once_at ON once (book, at);

-- +goose StatementBegin
CREATE TRIGGER entries_append_only BEFORE UPDATE ON entries
WHEN NEW.book IS NOT OLD.book OR NEW.seq IS NOT OLD.seq OR NEW.known_at IS NOT OLD.known_at OR NEW.kind IS NOT OLD.kind OR NEW.key IS NOT OLD.key
  OR NEW.key_id IS NOT OLD.key_id OR NEW.digest IS NOT OLD.digest OR NEW.hash IS NOT OLD.hash
  OR NEW.salt IS NOT NULL OR NEW.body IS NOT NULL OR NEW.case_id NOT IN (OLD.case_id, '') OR NEW.customer_id NOT IN (OLD.customer_id, '')
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only: an entry can only lose its body'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER entries_no_delete BEFORE DELETE ON entries
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only: no entry can be deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER claims_no_update BEFORE UPDATE ON claims
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only: a claim stays'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER claims_no_delete BEFORE DELETE ON claims
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only: a claim stays'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER attempts_forward BEFORE UPDATE ON attempts
WHEN NEW.book IS NOT OLD.book OR NEW.attempt_id IS NOT OLD.attempt_id OR NEW.case_id IS NOT OLD.case_id OR NEW.no IS NOT OLD.no
  OR NEW.state <= OLD.state OR NEW.seq <= OLD.seq
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only: an attempt only moves forward'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER attempts_no_delete BEFORE DELETE ON attempts
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only: an attempt stays'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER books_forward BEFORE UPDATE ON books
WHEN NEW.book IS NOT OLD.book OR NEW.tenant IS NOT OLD.tenant OR NEW.seq < OLD.seq OR NEW.known_at < OLD.known_at OR NEW.exported < OLD.exported
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only: a book only grows'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER books_no_delete BEFORE DELETE ON books
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only: a book stays'); END;
-- +goose StatementEnd
