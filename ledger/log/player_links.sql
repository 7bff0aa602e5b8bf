-- One row links a spelling in the record to another one of the same person. Outside the log, as `display_names`.
CREATE TABLE player_links (
  spelling TEXT PRIMARY KEY,
  player TEXT NOT NULL
) STRICT, WITHOUT ROWID;
