-- One row is the display name of a player of the record. Created with the first name; outside the log and its digests, so that a name
-- can be erased. Without a rowid, a name is in one b-tree only.
CREATE TABLE display_names (
  player TEXT PRIMARY KEY,
  name TEXT NOT NULL
) STRICT, WITHOUT ROWID;
