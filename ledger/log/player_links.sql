-- One row says that a spelling of the record is the same person as another one. As `display_names`, it stands outside of the log.
CREATE TABLE player_links (
  spelling TEXT PRIMARY KEY,
  player TEXT NOT NULL
) STRICT, WITHOUT ROWID;
