-- Format 1 of a ledger file. application_id and user_version (the format) are set beside it, in sqlite_file.py.

-- One row is one fact about the file: format, contract, ledger_id, and names (`handles`) where players have handles.
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

-- One row is one entry of the log, in the field order of the canonical form. `event` is the event's JSON, as text so that the JSON
-- functions of SQL read it; `digest` is SHA-256 over the previous digest and the canonical bytes.
CREATE TABLE entries (
  position INTEGER PRIMARY KEY,
  stream TEXT NOT NULL,
  version INTEGER NOT NULL,
  id TEXT NOT NULL UNIQUE,
  recorded_at TEXT NOT NULL,
  recorded_by TEXT NOT NULL,
  happened_at TEXT,
  event TEXT NOT NULL,
  digest BLOB NOT NULL CHECK (length(digest) = 32),
  UNIQUE (stream, version)
) STRICT;

-- The first entry of each stream, so that the list of streams does not read the whole log.
CREATE INDEX first_entries ON entries (position) WHERE version = 1;

-- An INSERT OR REPLACE would delete without firing the trigger below (unless recursive_triggers is on, which a foreign connection
-- decides), so replacements are rejected here, and gaps with them.
CREATE TRIGGER entries_follow_without_gap BEFORE INSERT ON entries
WHEN NEW.position IS NOT (SELECT ifnull(max(position), 0) + 1 FROM entries)
  OR NEW.version IS NOT (SELECT ifnull(max(version), 0) + 1 FROM entries WHERE stream = NEW.stream)
  OR EXISTS (SELECT 1 FROM entries WHERE id = NEW.id)
BEGIN
  SELECT RAISE(ABORT, 'an entry follows the one before, and replaces none');
END;

CREATE TRIGGER entries_are_never_changed BEFORE UPDATE ON entries
BEGIN
  SELECT RAISE(ABORT, 'an entry is never changed');
END;

CREATE TRIGGER entries_are_never_removed BEFORE DELETE ON entries
BEGIN
  SELECT RAISE(ABORT, 'an entry is never removed');
END;
