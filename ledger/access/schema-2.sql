-- Format 2: used names, and a seal on each row that grants access.

-- `ledger.access.tokens.seal_of` of the row with the `key` in `meta`.
ALTER TABLE tokens ADD COLUMN seal BLOB NOT NULL DEFAULT x'';
ALTER TABLE sessions ADD COLUMN seal BLOB NOT NULL DEFAULT x'';

-- One row is a recorder that was used. Nobody else gets it while its token exists.
CREATE TABLE names (
  digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32), -- SHA-256 of `recorded_by`
  number INTEGER NOT NULL -- the highest number of names made of it: 1, or 3 if there is `Ada 3`
) STRICT, WITHOUT ROWID;
