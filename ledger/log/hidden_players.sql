-- One row is a player in whose place others see initials. As `display_names`, it stands outside of the log.
CREATE TABLE hidden_players (
  player TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
