-- Format 2: names that were used once, and a seal on each row that lets somebody in.

-- What `ledger.access.seals` makes of the row and of the `key` in `meta`.
ALTER TABLE tokens ADD COLUMN seal BLOB NOT NULL DEFAULT x'';
ALTER TABLE sessions ADD COLUMN seal BLOB NOT NULL DEFAULT x'';

-- One row is a name that somebody records by, or did: it is given to nobody else as long as there is its token.
CREATE TABLE names (
  digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32), -- SHA-256 of `recorded_by`
  number INTEGER NOT NULL -- how far the names that were made of it are numbered: 1, or 3 where there is `Ada 3`
) STRICT, WITHOUT ROWID;
