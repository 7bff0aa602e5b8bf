-- One row is a player shown to others by initials. Outside the log, as `display_names`.
CREATE TABLE hidden_players (
  player TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
