-- What a witness has cosigned (`witness.store`). Rows are only ever added: a cosignature cannot be taken back.
CREATE TABLE cosigned (
  number INTEGER PRIMARY KEY,
  origin TEXT NOT NULL,
  size INTEGER NOT NULL CHECK (size >= 0),
  at INTEGER NOT NULL,  -- the time of the cosignature, in seconds since 1970
  note TEXT NOT NULL    -- the checkpoint with the cosignature
) STRICT;

CREATE INDEX newest ON cosigned (origin, size, at);

-- The signed lists of days: a day has one list.
CREATE TABLE lists (day TEXT PRIMARY KEY, note TEXT NOT NULL) STRICT;

CREATE TRIGGER cosigned_stays BEFORE UPDATE ON cosigned BEGIN SELECT raise(ABORT, 'rows are only added'); END;
CREATE TRIGGER cosigned_remains BEFORE DELETE ON cosigned BEGIN SELECT raise(ABORT, 'rows are only added'); END;
