-- The tables of the read model. One statement a table, then its comments: what one row is, and what each column says.
-- `trickledger query --list` shows these comments. Everything here follows from the log and can be made again from it.
--
-- Keys: sessions by session; tables by table_name; deals and all that happened in them by table_name and deal.
-- A seat and the player who sat there always stand side by side, so no join is needed to get a name.

CREATE TABLE meta (
  schema_version VARCHAR NOT NULL,
  ledger_id      VARCHAR,
  log_position   BIGINT NOT NULL,
  digest         VARCHAR NOT NULL
);
COMMENT ON TABLE meta IS 'The one row: up to which entry of the log this read model tells';
COMMENT ON COLUMN meta.schema_version IS 'which make of the read model; another one is built anew';
COMMENT ON COLUMN meta.ledger_id IS 'the ledger that it was made from';
COMMENT ON COLUMN meta.log_position IS 'position of the last log entry that is in it; 0: none';
COMMENT ON COLUMN meta.digest IS 'digest of that entry, 64 hexadecimal digits';

CREATE TABLE sessions (
  session        VARCHAR NOT NULL,
  title          VARCHAR,
  played_on      DATE,
  club           VARCHAR,
  place          VARCHAR,
  is_closed      BOOLEAN NOT NULL,
  first_position BIGINT NOT NULL,
  last_position  BIGINT NOT NULL
);
COMMENT ON TABLE sessions IS 'One row a session: an evening or a tournament with its tables';
COMMENT ON COLUMN sessions.session IS 'its name in the ledger, without session/';
COMMENT ON COLUMN sessions.title IS 'its title';
COMMENT ON COLUMN sessions.played_on IS 'its date';
COMMENT ON COLUMN sessions.club IS 'the club, where it was told';
COMMENT ON COLUMN sessions.place IS 'where it was played, where it was told';
COMMENT ON COLUMN sessions.is_closed IS 'whether it was closed';
COMMENT ON COLUMN sessions.first_position IS 'log position of its first entry';
COMMENT ON COLUMN sessions.last_position IS 'log position of its last entry';

CREATE TABLE tables (
  table_name     VARCHAR NOT NULL,
  session        VARCHAR,
  game           VARCHAR NOT NULL,
  seats          INTEGER NOT NULL,
  options        JSON NOT NULL,
  played_on      DATE NOT NULL,
  is_closed      BOOLEAN NOT NULL,
  is_over        BOOLEAN NOT NULL,
  state          JSON NOT NULL,
  first_position BIGINT NOT NULL,
  last_position  BIGINT NOT NULL
);
COMMENT ON TABLE tables IS 'One row a table: one sitting of one game with fixed options';
COMMENT ON COLUMN tables.table_name IS 'its name in the ledger, without table/';
COMMENT ON COLUMN tables.session IS 'the session that it belongs to';
COMMENT ON COLUMN tables.game IS 'ombre, quadrille, couillon, kop or baska';
COMMENT ON COLUMN tables.seats IS 'number of seats';
COMMENT ON COLUMN tables.options IS 'the options that differ from the rulebook''s defaults';
COMMENT ON COLUMN tables.played_on IS 'the session''s date; without one, the day on which the table was opened';
COMMENT ON COLUMN tables.is_closed IS 'whether the table was closed';
COMMENT ON COLUMN tables.is_over IS 'whether the match is over, by its rules or because the table was closed';
COMMENT ON COLUMN tables.state IS 'what carries on after the last deal, for example {"pool": 5}';
COMMENT ON COLUMN tables.first_position IS 'log position of its first entry';
COMMENT ON COLUMN tables.last_position IS 'log position of its last entry, corrections included';

CREATE TABLE players (
  table_name VARCHAR NOT NULL,
  seat       INTEGER NOT NULL,
  player     VARCHAR NOT NULL,
  first_deal INTEGER,
  last_deal  INTEGER,
  is_seated  BOOLEAN NOT NULL
);
COMMENT ON TABLE players IS 'One row for each player at each seat of a table; after a substitution a seat has several';
COMMENT ON COLUMN players.table_name IS 'the table';
COMMENT ON COLUMN players.seat IS 'the seat, from 0 in the order of play';
COMMENT ON COLUMN players.player IS 'the player''s name';
COMMENT ON COLUMN players.first_deal IS 'the first deal with this player at this seat; null: none yet';
COMMENT ON COLUMN players.last_deal IS 'the last one';
COMMENT ON COLUMN players.is_seated IS 'whether the player sits there at the end of the record';

CREATE TABLE deals (
  table_name      VARCHAR NOT NULL,
  deal            INTEGER NOT NULL,
  session         VARCHAR,
  game            VARCHAR NOT NULL,
  played_on       DATE NOT NULL,
  started_at      TIMESTAMP NOT NULL,
  dealer          INTEGER NOT NULL,
  dealer_player   VARCHAR NOT NULL,
  status          VARCHAR NOT NULL,
  contract        VARCHAR,
  declarer        INTEGER,
  declarer_player VARCHAR,
  partner         INTEGER,
  partner_player  VARCHAR,
  trump           VARCHAR,
  result          VARCHAR,
  declarer_won    BOOLEAN,
  outcome         JSON NOT NULL,
  pool_before     BIGINT NOT NULL,
  pool_after      BIGINT NOT NULL,
  card_count      INTEGER NOT NULL,
  first_version   INTEGER NOT NULL,
  first_position  BIGINT NOT NULL,
  last_position   BIGINT NOT NULL
);
COMMENT ON TABLE deals IS 'One row a deal: one distribution of the cards, its play and what it came to';
COMMENT ON COLUMN deals.table_name IS 'the table';
COMMENT ON COLUMN deals.deal IS 'the deal''s number at its table';
COMMENT ON COLUMN deals.session IS 'the table''s session';
COMMENT ON COLUMN deals.game IS 'the table''s game';
COMMENT ON COLUMN deals.played_on IS 'the session''s date; without one, the day on which the deal started';
COMMENT ON COLUMN deals.started_at IS 'when it was dealt, as far as told, else when that was recorded; UTC';
COMMENT ON COLUMN deals.dealer IS 'seat of the dealer';
COMMENT ON COLUMN deals.dealer_player IS 'the dealer''s name';
COMMENT ON COLUMN deals.status IS 'complete, open, voided or unscorable';
COMMENT ON COLUMN deals.contract IS 'the contract played; null: none was made';
COMMENT ON COLUMN deals.declarer IS 'seat of the declarer (in Ombre and Quadrille: of the ombre)';
COMMENT ON COLUMN deals.declarer_player IS 'the declarer''s name';
COMMENT ON COLUMN deals.partner IS 'seat of the declarer''s partner, where there is one';
COMMENT ON COLUMN deals.partner_player IS 'the partner''s name';
COMMENT ON COLUMN deals.trump IS 'suit of trumps: S, H, D or C';
COMMENT ON COLUMN deals.result IS 'the result in the rulebook''s word, for example CODILLE; null unless scored from its outcome';
COMMENT ON COLUMN deals.declarer_won IS 'whether the declarer won; null: no declarer, no result, or neither won nor lost';
COMMENT ON COLUMN deals.outcome IS 'the facts that scoring rests on, as `score` answers them';
COMMENT ON COLUMN deals.pool_before IS 'the pool before the antes of this deal';
COMMENT ON COLUMN deals.pool_after IS 'the pool after it';
COMMENT ON COLUMN deals.card_count IS 'number of cards played';
COMMENT ON COLUMN deals.first_version IS 'version of its first entry in the table''s record';
COMMENT ON COLUMN deals.first_position IS 'log position of its first entry';
COMMENT ON COLUMN deals.last_position IS 'log position of its last entry';

CREATE TABLE deal_scores (
  table_name VARCHAR NOT NULL,
  deal       INTEGER NOT NULL,
  seat       INTEGER NOT NULL,
  player     VARCHAR NOT NULL,
  delta      BIGINT NOT NULL
);
COMMENT ON TABLE deal_scores IS 'One row for each seat in each deal: what the deal moved for it';
COMMENT ON COLUMN deal_scores.table_name IS 'the table';
COMMENT ON COLUMN deal_scores.deal IS 'the deal';
COMMENT ON COLUMN deal_scores.seat IS 'the seat';
COMMENT ON COLUMN deal_scores.player IS 'the player who sat there in this deal';
COMMENT ON COLUMN deal_scores.delta IS 'net change over the deal, antes included, adjustments not; an open deal has moved nothing but its antes';

CREATE TABLE points (
  table_name VARCHAR NOT NULL,
  deal       INTEGER,
  session    VARCHAR,
  game       VARCHAR NOT NULL,
  played_on  DATE NOT NULL,
  cause      VARCHAR NOT NULL,
  seat       INTEGER NOT NULL,
  player     VARCHAR NOT NULL,
  amount     BIGINT NOT NULL
);
COMMENT ON TABLE points IS 'One row for each change of a seat''s total; a table''s rows add up to the totals that `score` answers, less what the match started with';
COMMENT ON COLUMN points.table_name IS 'the table';
COMMENT ON COLUMN points.deal IS 'the deal; null for the closing';
COMMENT ON COLUMN points.session IS 'the table''s session';
COMMENT ON COLUMN points.game IS 'the table''s game';
COMMENT ON COLUMN points.played_on IS 'the day of the deal; for the closing, that of the last deal';
COMMENT ON COLUMN points.cause IS 'deal, adjust (a ruling) or closing (the end of the match)';
COMMENT ON COLUMN points.seat IS 'the seat';
COMMENT ON COLUMN points.player IS 'the player who sat there then';
COMMENT ON COLUMN points.amount IS 'by how much the total changed';

CREATE TABLE score_lines (
  table_name   VARCHAR NOT NULL,
  deal         INTEGER,
  line         INTEGER NOT NULL,
  rule         VARCHAR,
  payer        INTEGER,
  payer_player VARCHAR,
  payee        INTEGER,
  payee_player VARCHAR,
  amount       BIGINT NOT NULL,
  explanation  VARCHAR NOT NULL
);
COMMENT ON TABLE score_lines IS 'One row a payment: who paid whom how much, and by which rule';
COMMENT ON COLUMN score_lines.table_name IS 'the table';
COMMENT ON COLUMN score_lines.deal IS 'the deal; null for the closing';
COMMENT ON COLUMN score_lines.line IS 'number of the payment within the deal, from 1';
COMMENT ON COLUMN score_lines.rule IS 'the rule that orders it; null where a ruling without a rule does';
COMMENT ON COLUMN score_lines.payer IS 'seat that pays; null: the pool';
COMMENT ON COLUMN score_lines.payer_player IS 'who pays';
COMMENT ON COLUMN score_lines.payee IS 'seat that is paid; null: the pool';
COMMENT ON COLUMN score_lines.payee_player IS 'who is paid';
COMMENT ON COLUMN score_lines.amount IS 'the amount';
COMMENT ON COLUMN score_lines.explanation IS 'in words, in English';

CREATE TABLE calls (
  table_name   VARCHAR NOT NULL,
  deal         INTEGER NOT NULL,
  number       INTEGER NOT NULL,
  seat         INTEGER NOT NULL,
  player       VARCHAR NOT NULL,
  call         VARCHAR NOT NULL,
  card         VARCHAR,
  version      INTEGER NOT NULL,
  log_position BIGINT NOT NULL
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
COMMENT ON COLUMN calls.log_position IS 'log position of its entry';

CREATE TABLE announcements (
  table_name   VARCHAR NOT NULL,
  deal         INTEGER NOT NULL,
  number       INTEGER NOT NULL,
  seat         INTEGER,
  player       VARCHAR,
  word         VARCHAR NOT NULL,
  for_seats    INTEGER[],
  version      INTEGER NOT NULL,
  log_position BIGINT NOT NULL
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
COMMENT ON COLUMN announcements.log_position IS 'log position of its entry';

CREATE TABLE exchanges (
  table_name   VARCHAR NOT NULL,
  deal         INTEGER NOT NULL,
  number       INTEGER NOT NULL,
  seat         INTEGER NOT NULL,
  player       VARCHAR NOT NULL,
  card_count   INTEGER NOT NULL,
  discarded    VARCHAR,
  drawn        VARCHAR,
  version      INTEGER NOT NULL,
  log_position BIGINT NOT NULL
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
COMMENT ON COLUMN exchanges.log_position IS 'log position of its entry';

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
  version        INTEGER NOT NULL,
  log_position   BIGINT NOT NULL
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
COMMENT ON COLUMN plays.log_position IS 'log position of its entry';

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

CREATE TABLE findings (
  table_name   VARCHAR NOT NULL,
  deal         INTEGER NOT NULL,
  version      INTEGER NOT NULL,
  log_position BIGINT NOT NULL,
  code         VARCHAR NOT NULL,
  rule         VARCHAR NOT NULL,
  severity     VARCHAR NOT NULL,
  seat         INTEGER,
  player       VARCHAR,
  message      VARCHAR NOT NULL,
  legal        VARCHAR[]
);
COMMENT ON TABLE findings IS 'One row for each thing that `audit` finds: a rule broken, or as info a rule used';
COMMENT ON COLUMN findings.table_name IS 'the table';
COMMENT ON COLUMN findings.deal IS 'the deal';
COMMENT ON COLUMN findings.version IS 'version of the entry at fault in the table''s record';
COMMENT ON COLUMN findings.log_position IS 'log position of that entry';
COMMENT ON COLUMN findings.code IS 'the irregularity, for example OMB-11.36';
COMMENT ON COLUMN findings.rule IS 'the rule that it breaks';
COMMENT ON COLUMN findings.severity IS 'error, warning or info';
COMMENT ON COLUMN findings.seat IS 'the seat it is about';
COMMENT ON COLUMN findings.player IS 'its player';
COMMENT ON COLUMN findings.message IS 'in words, in English';
COMMENT ON COLUMN findings.legal IS 'what could have been done instead, where it is about a card or a call';

CREATE TABLE rulings (
  table_name      VARCHAR NOT NULL,
  deal            INTEGER NOT NULL,
  number          INTEGER NOT NULL,
  kind            VARCHAR NOT NULL,
  explanation     VARCHAR NOT NULL,
  rule            VARCHAR,
  deltas          BIGINT[],
  pool_change     BIGINT,
  award           JSON,
  dispute_version INTEGER,
  is_in_force     BOOLEAN NOT NULL,
  version         INTEGER NOT NULL,
  log_position    BIGINT NOT NULL
);
COMMENT ON TABLE rulings IS 'One row for each decision of a director';
COMMENT ON COLUMN rulings.table_name IS 'the table';
COMMENT ON COLUMN rulings.deal IS 'the deal that it is about';
COMMENT ON COLUMN rulings.number IS 'number of the ruling at its table, from 1';
COMMENT ON COLUMN rulings.kind IS 'adjust, replace, void, accept, award or stands';
COMMENT ON COLUMN rulings.explanation IS 'the director''s words';
COMMENT ON COLUMN rulings.rule IS 'the rule that it names';
COMMENT ON COLUMN rulings.deltas IS 'amounts by seat, the first for seat 0';
COMMENT ON COLUMN rulings.pool_change IS 'change of the pool';
COMMENT ON COLUMN rulings.award IS 'the figures of a Couillon award';
COMMENT ON COLUMN rulings.dispute_version IS 'version of the dispute that it decides';
COMMENT ON COLUMN rulings.is_in_force IS 'whether no later ruling overruled it; adjustments add up';
COMMENT ON COLUMN rulings.version IS 'version of its entry in the table''s record';
COMMENT ON COLUMN rulings.log_position IS 'log position of its entry';
