-- One row is the name to show for a player of the record. Made when the first name is set; it stands outside of the log and its digests,
-- so a name can be erased. Without a rowid, a name stands in one b-tree and nowhere else.
CREATE TABLE display_names (
  player TEXT PRIMARY KEY,
  name TEXT NOT NULL
) STRICT, WITHOUT ROWID;
