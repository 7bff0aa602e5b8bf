-- The token file of a ledger, in format 1. It holds no secret, only the SHA-256 of each.

-- One row is an issued token or table code. Rows are never removed, so that no id is used twice.
CREATE TABLE tokens (
  id     TEXT NOT NULL UNIQUE,
  digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
  facts  TEXT NOT NULL -- as JSON, as in `trickledger token list --format json`
) STRICT;

-- One row is a browser that is signed in, or was until `ends_at`.
CREATE TABLE sessions (
  digest  BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
  token   TEXT NOT NULL REFERENCES tokens (id),
  name    TEXT, -- typed at sign-in, with a number if it was used before
  ends_at TEXT NOT NULL
) STRICT;

CREATE INDEX sessions_by_token ON sessions (token);

-- One row is a fact about the file: `ledger_id`, its ledger, and `newest`, the newest time that was seen.
-- From format 2 on also `key`, the key of the seals.
CREATE TABLE meta (
  key   TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;
