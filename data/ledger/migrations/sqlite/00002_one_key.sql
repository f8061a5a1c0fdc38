-- +goose Up
-- A chain goes on with the secret it was on, but after an entry that changes it (kind 9, whose key is the new one's id).
-- +goose StatementBegin
CREATE TRIGGER entries_one_key BEFORE INSERT ON entries
WHEN NEW.seq > 1 AND NEW.key_id IS NOT (SELECT CASE kind WHEN 9 THEN key ELSE key_id END FROM entries WHERE book = NEW.book AND seq = NEW.seq - 1)
BEGIN SELECT RAISE(ABORT, 'the chain goes on with another secret: it was changed by recoup ledger rotate-key, or the one at hand is of another ledger'); END;
-- +goose StatementEnd
