-- What the read model of a service has besides: which entries it leaves out, because they tell of a deal that is open.
-- Their cards are in the digest of the ledger; so as long as there are any, that is null, and the last entry is known by its id.

ALTER TABLE meta ALTER digest DROP NOT NULL;

CREATE TABLE held_back (
  stream       VARCHAR NOT NULL,
  log_position BIGINT NOT NULL
);

CREATE TABLE last_entry (
  id VARCHAR
);
