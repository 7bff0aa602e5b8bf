-- What the deals came to: their results, and every amount that moved.

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
  called_card     VARCHAR,
  result          VARCHAR,
  declarer_won    BOOLEAN,
  outcome         JSON NOT NULL,
  pool_before     BIGINT NOT NULL,
  pool_after      BIGINT NOT NULL,
  stock           VARCHAR,
  call_count      INTEGER NOT NULL,
  card_count      INTEGER NOT NULL,
  opening_leader  INTEGER,
  opening_lead    VARCHAR,
  opening_winner  INTEGER,
  players         VARCHAR[] NOT NULL,
  deltas          BIGINT[] NOT NULL,
  play_counts     INTEGER[] NOT NULL,
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
COMMENT ON COLUMN deals.called_card IS 'the card whose holder was called as partner, for example HK; null: none was';
COMMENT ON COLUMN deals.result IS 'the result in the rulebook''s word, for example CODILLE; null unless scored from its outcome';
COMMENT ON COLUMN deals.declarer_won IS 'whether the declarer won; null: no declarer, no result, or neither won nor lost';
COMMENT ON COLUMN deals.outcome IS 'the facts that scoring rests on, as `score` answers them';
COMMENT ON COLUMN deals.pool_before IS 'the pool before the antes of this deal';
COMMENT ON COLUMN deals.pool_after IS 'the pool after it';
COMMENT ON COLUMN deals.stock IS 'the cards not dealt or set aside, top first, with blanks between; null: not recorded';
COMMENT ON COLUMN deals.call_count IS 'number of calls in the auction';
COMMENT ON COLUMN deals.card_count IS 'number of cards played';
COMMENT ON COLUMN deals.opening_leader IS 'the seat that led to the first trick; null: nobody did';
COMMENT ON COLUMN deals.opening_lead IS 'the card that it led, for example SA';
COMMENT ON COLUMN deals.opening_winner IS 'the seat that won the first trick; null: not complete, or not known';
COMMENT ON COLUMN deals.players IS 'the players by seat: players[1] sat on seat 0';
COMMENT ON COLUMN deals.deltas IS 'what deal_scores tells of it, by seat: deltas[1] is that of seat 0';
COMMENT ON COLUMN deals.play_counts IS 'how many cards each seat played, by seat like deltas';
COMMENT ON COLUMN deals.first_version IS 'version of its first entry in the table''s record';
COMMENT ON COLUMN deals.first_position IS 'log position of its first entry';
COMMENT ON COLUMN deals.last_position IS 'log position of its last entry';

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

CREATE VIEW deal_scores AS
SELECT table_name, deal, seat, player, amount AS delta FROM points WHERE cause = 'deal';
COMMENT ON VIEW deal_scores IS 'One row for each seat in each deal: what the deal moved for it';
COMMENT ON COLUMN deal_scores.table_name IS 'the table';
COMMENT ON COLUMN deal_scores.deal IS 'the deal';
COMMENT ON COLUMN deal_scores.seat IS 'the seat';
COMMENT ON COLUMN deal_scores.player IS 'the player who sat there in this deal';
COMMENT ON COLUMN deal_scores.delta IS 'net change over the deal, antes included, adjustments not; an open deal has moved nothing but its antes';

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
  explanation  VARCHAR NOT NULL,
  code         VARCHAR NOT NULL,
  values       JSON
);
COMMENT ON TABLE score_lines IS 'One row a payment: who paid whom how much, and by which rule';
COMMENT ON COLUMN score_lines.table_name IS 'the table';
COMMENT ON COLUMN score_lines.deal IS 'the deal; null for the closing';
COMMENT ON COLUMN score_lines.line IS 'number of the payment within the deal, from 1';
COMMENT ON COLUMN score_lines.rule IS 'the rule that orders it; null where a ruling without a rule does';
COMMENT ON COLUMN score_lines.payer IS 'seat that pays; null: a pool, or the board';
COMMENT ON COLUMN score_lines.payer_player IS 'its player';
COMMENT ON COLUMN score_lines.payee IS 'seat that is paid; null: a pool, or the board';
COMMENT ON COLUMN score_lines.payee_player IS 'its player';
COMMENT ON COLUMN score_lines.amount IS 'the amount';
COMMENT ON COLUMN score_lines.explanation IS 'in words, in English';
COMMENT ON COLUMN score_lines.code IS 'what it is for, by the name of that sentence among the words of its game: the same in every language';
COMMENT ON COLUMN score_lines.values IS 'what is put into the sentence, for example {"result": "REMISE"}; null: nothing';
