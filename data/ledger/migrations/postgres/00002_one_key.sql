-- +goose Up
-- A chain goes on with the secret it was on, but after an entry that changes it (kind 9, whose key is the new one's id).
-- +goose StatementBegin
CREATE FUNCTION ledger_one_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.key_id IS DISTINCT FROM (SELECT CASE kind WHEN 9 THEN key ELSE key_id END FROM entries WHERE book = NEW.book AND seq = NEW.seq - 1) THEN
    RAISE EXCEPTION 'the chain goes on with another secret: it was changed by recoup ledger rotate-key, or the one at hand is of another ledger';
  END IF;
  RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER entries_one_key BEFORE INSERT ON entries FOR EACH ROW WHEN (NEW.seq > 1) EXECUTE FUNCTION ledger_one_key();
