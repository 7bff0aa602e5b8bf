-- The file beside a ledger that says who may do what, in format 1. No secret is in it, only SHA-256 of each.

-- One row is a token or a table's code that was given out. Rows are never removed, so that no id is used twice.
CREATE TABLE tokens (
  id     TEXT NOT NULL UNIQUE,
  digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
  facts  TEXT NOT NULL -- as JSON: what `trickledger token list --format json` tells of it
) STRICT;

-- One row is a browser that is signed in, or was until `ends_at`.
CREATE TABLE sessions (
  digest  BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
  token   TEXT NOT NULL REFERENCES tokens (id),
  name    TEXT, -- typed at sign-in, with a number where it was used before
  ends_at TEXT NOT NULL
) STRICT;

CREATE INDEX sessions_by_token ON sessions (token);

-- One row is a fact about the file: `ledger_id`, whose it is, and `newest`, the newest moment that was seen.
-- From format 2 on `key`, that of the seals.
CREATE TABLE meta (
  key   TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;
