-- Format 1 of the ledgers in a PostgreSQL database. Run by its owner with the first `trickledger init`.
-- Each key begins with the ledger, so that a database may hold many and a distributed engine may part them.

CREATE SCHEMA trickledger;

-- One row is a ledger; `name` is the part of its address after `#`, `names` is `handles` where players have handles.
CREATE TABLE trickledger.ledgers (
  ledger integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text COLLATE "C" NOT NULL UNIQUE,
  ledger_id uuid NOT NULL,
  format integer NOT NULL,
  names text
);

-- One row is the last entry of a ledger. A writer locks it for its whole transaction, so positions have no gaps. `names` counts the
-- changes of the people below, and appends that were lost on the way. Pages stay nearly empty, so that an update finds room in its page and touches no index.
CREATE TABLE trickledger.heads (
  ledger integer PRIMARY KEY REFERENCES trickledger.ledgers,
  position bigint NOT NULL,
  digest bytea NOT NULL CHECK (length(digest) = 32),
  names bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 10);

-- One row is one entry of the log, in the field order of the canonical form. `event` is text, because jsonb would not keep the bytes
-- that the digest covers. `ledger` is that of a head, which is locked and updated with each entry: a foreign key would take a third of
-- the server's time.
CREATE TABLE trickledger.entries (
  ledger integer NOT NULL,
  position bigint NOT NULL CHECK (position > 0),
  stream text COLLATE "C" NOT NULL,
  version integer NOT NULL CHECK (version > 0),
  id uuid NOT NULL,
  recorded_at timestamptz NOT NULL,
  recorded_by text COLLATE "C" NOT NULL,
  happened_at timestamptz,
  event text COLLATE "C" NOT NULL,
  digest bytea NOT NULL CHECK (length(digest) = 32),
  PRIMARY KEY (ledger, position),
  UNIQUE (ledger, stream, version),
  UNIQUE (ledger, id)
);

-- The first entry of each stream, so that the list of streams does not read the whole log.
CREATE INDEX first_entries ON trickledger.entries (ledger, position) WHERE version = 1;

CREATE FUNCTION trickledger.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'an entry is never changed or removed' USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE TRIGGER entries_are_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON trickledger.entries
FOR EACH STATEMENT EXECUTE FUNCTION trickledger.refuse();

CREATE TRIGGER heads_are_never_removed BEFORE DELETE OR TRUNCATE ON trickledger.heads
FOR EACH STATEMENT EXECUTE FUNCTION trickledger.refuse();

CREATE FUNCTION trickledger.refuse_return() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.position < OLD.position OR NEW.names < OLD.names OR NEW.ledger <> OLD.ledger THEN
    RAISE EXCEPTION 'a ledger only grows' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER heads_only_advance BEFORE UPDATE ON trickledger.heads
FOR EACH ROW EXECUTE FUNCTION trickledger.refuse_return();

-- One row is the display name of a player of the record; outside the log and its digests, so that a name can be erased.
CREATE TABLE trickledger.display_names (
  ledger integer NOT NULL REFERENCES trickledger.ledgers,
  player text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  PRIMARY KEY (ledger, player)
);

-- One row links a spelling in the record to another one of the same person.
CREATE TABLE trickledger.player_links (
  ledger integer NOT NULL REFERENCES trickledger.ledgers,
  spelling text COLLATE "C" NOT NULL,
  player text COLLATE "C" NOT NULL,
  PRIMARY KEY (ledger, spelling)
);

-- One row is a player shown to others by initials.
CREATE TABLE trickledger.hidden_players (
  ledger integer NOT NULL REFERENCES trickledger.ledgers,
  player text COLLATE "C" NOT NULL,
  PRIMARY KEY (ledger, player)
);

-- What follows grants access to the service and has privileges of its own. It holds no secret, only the SHA-256 of each.

-- One row is what all tokens of a ledger share; a change of them locks it. `key` is that of the seals, `newest` the newest time seen.
CREATE TABLE trickledger.access (
  ledger integer PRIMARY KEY REFERENCES trickledger.ledgers,
  key bytea NOT NULL CHECK (length(key) = 32),
  newest timestamptz
);

-- One row is an issued token or table code, in order of `number`. Rows are never removed, so that no id is used twice.
CREATE TABLE trickledger.tokens (
  ledger integer NOT NULL REFERENCES trickledger.ledgers,
  number bigint GENERATED ALWAYS AS IDENTITY,
  id text COLLATE "C" NOT NULL,
  digest bytea NOT NULL CHECK (length(digest) = 32),
  facts text COLLATE "C" NOT NULL, -- as JSON, as in `trickledger token list --format json`
  seal bytea NOT NULL, -- `ledger.access.tokens.seal_of` of the row
  PRIMARY KEY (ledger, id),
  UNIQUE (ledger, digest)
);

-- One row is a browser that is signed in, or was until `ends_at`.
CREATE TABLE trickledger.sessions (
  ledger integer NOT NULL,
  number bigint GENERATED ALWAYS AS IDENTITY,
  digest bytea NOT NULL CHECK (length(digest) = 32),
  token text COLLATE "C" NOT NULL,
  name text COLLATE "C", -- typed at sign-in, with a number if it was used before
  ends_at text COLLATE "C" NOT NULL,
  seal bytea NOT NULL,
  PRIMARY KEY (ledger, digest),
  FOREIGN KEY (ledger, token) REFERENCES trickledger.tokens (ledger, id)
);

CREATE INDEX sessions_by_token ON trickledger.sessions (ledger, token, number);

-- One row is a recorder that was used. Nobody else gets it while its token exists.
CREATE TABLE trickledger.used_names (
  ledger integer NOT NULL REFERENCES trickledger.ledgers,
  digest bytea NOT NULL CHECK (length(digest) = 32), -- SHA-256 of `recorded_by`
  number integer NOT NULL, -- the highest number of names made of it: 1, or 3 if there is `Ada 3`
  PRIMARY KEY (ledger, digest)
);
