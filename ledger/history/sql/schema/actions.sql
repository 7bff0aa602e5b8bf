-- What was done in the deals: hands, calls, announcements, exchanges, plays and tricks, as corrected.

CREATE TABLE hands (
  table_name VARCHAR NOT NULL,
  deal       INTEGER NOT NULL,
  seat       INTEGER NOT NULL,
  player     VARCHAR NOT NULL,
  cards      VARCHAR,
  card_count INTEGER
);
COMMENT ON TABLE hands IS 'One row for each seat of each deal whose dealing was recorded: the cards that it was dealt';
COMMENT ON COLUMN hands.table_name IS 'the table';
COMMENT ON COLUMN hands.deal IS 'the deal';
COMMENT ON COLUMN hands.seat IS 'the seat';
COMMENT ON COLUMN hands.player IS 'its player';
COMMENT ON COLUMN hands.cards IS 'the cards in the order dealt, with blanks between; ?? is a card that is not known; null: the hand is not known';
COMMENT ON COLUMN hands.card_count IS 'how many cards, 0 for a seat that sat out; null: the hand is not known';

CREATE TABLE calls (
  table_name   VARCHAR NOT NULL,
  deal         INTEGER NOT NULL,
  number       INTEGER NOT NULL,
  seat         INTEGER NOT NULL,
  player       VARCHAR NOT NULL,
  call         VARCHAR NOT NULL,
  card         VARCHAR,
  version      INTEGER NOT NULL
);
COMMENT ON TABLE calls IS 'One row a call in an auction, passes and doublings included, also where the call was against the rules';
COMMENT ON COLUMN calls.table_name IS 'the table';
COMMENT ON COLUMN calls.deal IS 'the deal';
COMMENT ON COLUMN calls.number IS 'number of the call within the deal, from 1';
COMMENT ON COLUMN calls.seat IS 'the seat that called';
COMMENT ON COLUMN calls.player IS 'its player';
COMMENT ON COLUMN calls.call IS 'the call, for example pass or solo';
COMMENT ON COLUMN calls.card IS 'the card named with it';
COMMENT ON COLUMN calls.version IS 'version of its entry in the table''s record';

CREATE TABLE announcements (
  table_name   VARCHAR NOT NULL,
  deal         INTEGER NOT NULL,
  number       INTEGER NOT NULL,
  seat         INTEGER,
  player       VARCHAR,
  word         VARCHAR NOT NULL,
  for_seats    INTEGER[],
  version      INTEGER NOT NULL
);
COMMENT ON TABLE announcements IS 'One row for each thing said in a deal that the rules give a meaning to';
COMMENT ON COLUMN announcements.table_name IS 'the table';
COMMENT ON COLUMN announcements.deal IS 'the deal';
COMMENT ON COLUMN announcements.number IS 'number of the announcement within the deal, from 1';
COMMENT ON COLUMN announcements.seat IS 'the seat that spoke; null: the recorder';
COMMENT ON COLUMN announcements.player IS 'its player';
COMMENT ON COLUMN announcements.word IS 'what was said, for example surrender';
COMMENT ON COLUMN announcements.for_seats IS 'the seats it speaks for, where more than one';
COMMENT ON COLUMN announcements.version IS 'version of its entry in the table''s record';

CREATE TABLE exchanges (
  table_name   VARCHAR NOT NULL,
  deal         INTEGER NOT NULL,
  number       INTEGER NOT NULL,
  seat         INTEGER NOT NULL,
  player       VARCHAR NOT NULL,
  card_count   INTEGER NOT NULL,
  discarded    VARCHAR,
  drawn        VARCHAR,
  version      INTEGER NOT NULL
);
COMMENT ON TABLE exchanges IS 'One row for each exchange of cards with the stock, also of none';
COMMENT ON COLUMN exchanges.table_name IS 'the table';
COMMENT ON COLUMN exchanges.deal IS 'the deal';
COMMENT ON COLUMN exchanges.number IS 'number of the exchange within the deal, from 1';
COMMENT ON COLUMN exchanges.seat IS 'the seat that exchanged';
COMMENT ON COLUMN exchanges.player IS 'its player';
COMMENT ON COLUMN exchanges.card_count IS 'how many cards';
COMMENT ON COLUMN exchanges.discarded IS 'the cards put aside, with blanks between; null: not recorded';
COMMENT ON COLUMN exchanges.drawn IS 'the cards drawn, with blanks between; null: not recorded';
COMMENT ON COLUMN exchanges.version IS 'version of its entry in the table''s record';

CREATE TABLE plays (
  table_name     VARCHAR NOT NULL,
  deal           INTEGER NOT NULL,
  number         INTEGER NOT NULL,
  trick          INTEGER,
  place_in_trick INTEGER,
  seat           INTEGER NOT NULL,
  player         VARCHAR NOT NULL,
  card           VARCHAR NOT NULL,
  trick_winner   INTEGER,
  version        INTEGER NOT NULL
);
COMMENT ON TABLE plays IS 'One row for each card played';
COMMENT ON COLUMN plays.table_name IS 'the table';
COMMENT ON COLUMN plays.deal IS 'the deal';
COMMENT ON COLUMN plays.number IS 'number of the card within the deal, from 1';
COMMENT ON COLUMN plays.trick IS 'number of the trick, from 1; null: a play that counts for nothing, being out of turn or after the end';
COMMENT ON COLUMN plays.place_in_trick IS 'place of the card in its trick: 1 was led';
COMMENT ON COLUMN plays.seat IS 'the seat that played';
COMMENT ON COLUMN plays.player IS 'its player';
COMMENT ON COLUMN plays.card IS 'suit and rank, for example SA; ?? is a card that is not known';
COMMENT ON COLUMN plays.trick_winner IS 'the seat that won this trick; null: not complete, or not known';
COMMENT ON COLUMN plays.version IS 'version of its entry in the table''s record';

CREATE TABLE tricks (
  table_name    VARCHAR NOT NULL,
  deal          INTEGER NOT NULL,
  trick         INTEGER NOT NULL,
  leader        INTEGER NOT NULL,
  leader_player VARCHAR NOT NULL,
  cards         VARCHAR NOT NULL,
  winner        INTEGER,
  winner_player VARCHAR
);
COMMENT ON TABLE tricks IS 'One row a trick, the last one perhaps not complete';
COMMENT ON COLUMN tricks.table_name IS 'the table';
COMMENT ON COLUMN tricks.deal IS 'the deal';
COMMENT ON COLUMN tricks.trick IS 'number of the trick within the deal, from 1';
COMMENT ON COLUMN tricks.leader IS 'the seat that led';
COMMENT ON COLUMN tricks.leader_player IS 'its player';
COMMENT ON COLUMN tricks.cards IS 'the cards in the order played, with blanks between';
COMMENT ON COLUMN tricks.winner IS 'the seat that won it; null: not complete, or not known';
COMMENT ON COLUMN tricks.winner_player IS 'its player';
