-- Only in the read model of a service: the entries that it leaves out because they belong to an open deal. The ledger's
-- digest depends on their cards; so it is null while there are any, and the id identifies the last entry.

ALTER TABLE meta ALTER digest DROP NOT NULL;

CREATE TABLE held_back (
  stream       VARCHAR NOT NULL,
  log_position BIGINT NOT NULL
);

CREATE TABLE last_entry (
  id VARCHAR
);
