-- What each user of the database may do, for its owner to run after the first `trickledger init`. Nobody but the owner can change or
-- remove an entry. Leave out the users that you do not have.

-- `trickledger serve`: records, and keeps tokens and sessions.
GRANT USAGE ON SCHEMA trickledger TO "service";
GRANT SELECT ON trickledger.ledgers, trickledger.heads, trickledger.entries, trickledger.display_names, trickledger.player_links, trickledger.hidden_players TO "service";
GRANT INSERT ON trickledger.entries TO "service";
GRANT UPDATE (position, digest, names) ON trickledger.heads TO "service";
GRANT INSERT, DELETE ON trickledger.display_names, trickledger.player_links, trickledger.hidden_players TO "service";
GRANT SELECT, INSERT, UPDATE (newest) ON trickledger.access TO "service";
GRANT SELECT, INSERT, UPDATE (facts, seal) ON trickledger.tokens TO "service";
GRANT SELECT, INSERT, DELETE ON trickledger.sessions TO "service";
GRANT SELECT, INSERT, UPDATE (number) ON trickledger.used_names TO "service";

-- The command line: records and names players, and cannot read tokens.
GRANT USAGE ON SCHEMA trickledger TO "recorder";
GRANT SELECT ON trickledger.ledgers, trickledger.heads, trickledger.entries, trickledger.display_names, trickledger.player_links, trickledger.hidden_players TO "recorder";
GRANT INSERT ON trickledger.entries TO "recorder";
GRANT UPDATE (position, digest, names) ON trickledger.heads TO "recorder";
GRANT INSERT, DELETE ON trickledger.display_names, trickledger.player_links, trickledger.hidden_players TO "recorder";

-- Reads, verifies and queries.
GRANT USAGE ON SCHEMA trickledger TO "viewer";
GRANT SELECT ON trickledger.ledgers, trickledger.heads, trickledger.entries, trickledger.display_names, trickledger.player_links, trickledger.hidden_players TO "viewer";
