-- What was done in the deals: hands, calls, announcements, exchanges, plays and tricks, as corrected.
--
-- They are kept as lists, a row a deal, and the nouns are views that take them apart: a table with a row for each card would
-- take a tenth longer to build and to keep, and a question over it is answered hardly sooner. Several unnest() in one SELECT
-- go side by side: the row n has the value n of each list.

CREATE TABLE deal_moves (
  table_name         VARCHAR NOT NULL,
  deal               INTEGER NOT NULL,
  players            VARCHAR[] NOT NULL,
  hands              VARCHAR[],
  call_versions      INTEGER[],
  call_seats         INTEGER[],
  call_words         VARCHAR[],
  call_cards         VARCHAR[],
  said_versions      INTEGER[],
  said_seats         INTEGER[],
  said_words         VARCHAR[],
  said_for           INTEGER[][],
  exchange_versions  INTEGER[],
  exchange_seats     INTEGER[],
  exchange_counts    INTEGER[],
  exchange_discarded VARCHAR[],
  exchange_drawn     VARCHAR[],
  play_versions      INTEGER[],
  play_seats         INTEGER[],
  play_cards         VARCHAR[],
  play_tricks        INTEGER[],
  play_places        INTEGER[],
  play_winners       INTEGER[],
  trick_leaders      INTEGER[],
  trick_cards        VARCHAR[],
  trick_winners      INTEGER[]
);
COMMENT ON TABLE deal_moves IS 'One row a deal: all that was done in it, in lists; hands, calls, announcements, exchanges, plays and tricks are views of it';
COMMENT ON COLUMN deal_moves.table_name IS 'the table';
COMMENT ON COLUMN deal_moves.deal IS 'the deal';
COMMENT ON COLUMN deal_moves.players IS 'the players by seat: players[1] sat on seat 0';
COMMENT ON COLUMN deal_moves.hands IS 'hands.cards by seat';
COMMENT ON COLUMN deal_moves.call_versions IS 'calls.version in order; null: there are no calls';
COMMENT ON COLUMN deal_moves.call_seats IS 'calls.seat in order; null: there are no calls';
COMMENT ON COLUMN deal_moves.call_words IS 'calls.call in order; null: there are no calls';
COMMENT ON COLUMN deal_moves.call_cards IS 'calls.card in order; null: there are no calls';
COMMENT ON COLUMN deal_moves.said_versions IS 'announcements.version in order; null: there are no announcements';
COMMENT ON COLUMN deal_moves.said_seats IS 'announcements.seat in order; null: there are no announcements';
COMMENT ON COLUMN deal_moves.said_words IS 'announcements.word in order; null: there are no announcements';
COMMENT ON COLUMN deal_moves.said_for IS 'announcements.for_seats in order; null: there are no announcements';
COMMENT ON COLUMN deal_moves.exchange_versions IS 'exchanges.version in order; null: there are no exchanges';
COMMENT ON COLUMN deal_moves.exchange_seats IS 'exchanges.seat in order; null: there are no exchanges';
COMMENT ON COLUMN deal_moves.exchange_counts IS 'exchanges.card_count in order; null: there are no exchanges';
COMMENT ON COLUMN deal_moves.exchange_discarded IS 'exchanges.discarded in order; null: there are no exchanges';
COMMENT ON COLUMN deal_moves.exchange_drawn IS 'exchanges.drawn in order; null: there are no exchanges';
COMMENT ON COLUMN deal_moves.play_versions IS 'plays.version in order; null: there are no plays';
COMMENT ON COLUMN deal_moves.play_seats IS 'plays.seat in order; null: there are no plays';
COMMENT ON COLUMN deal_moves.play_cards IS 'plays.card in order; null: there are no plays';
COMMENT ON COLUMN deal_moves.play_tricks IS 'plays.trick in order; null: there are no plays';
COMMENT ON COLUMN deal_moves.play_places IS 'plays.place_in_trick in order; null: there are no plays';
COMMENT ON COLUMN deal_moves.play_winners IS 'plays.trick_winner in order; null: there are no plays';
COMMENT ON COLUMN deal_moves.trick_leaders IS 'tricks.leader in order; null: there are no tricks';
COMMENT ON COLUMN deal_moves.trick_cards IS 'tricks.cards in order; null: there are no tricks';
COMMENT ON COLUMN deal_moves.trick_winners IS 'tricks.winner in order; null: there are no tricks';

CREATE VIEW hands AS
SELECT
  table_name, deal,
  (generate_subscripts(hands, 1) - 1)::INTEGER AS seat,
  unnest(players[:len(hands)]) AS player,
  unnest(hands) AS cards,
  ((length(unnest(hands)) + 1) // 3)::INTEGER AS card_count
FROM deal_moves;
COMMENT ON VIEW hands IS 'One row for each seat of each deal whose dealing was recorded: the cards that it was dealt';
COMMENT ON COLUMN hands.table_name IS 'the table';
COMMENT ON COLUMN hands.deal IS 'the deal';
COMMENT ON COLUMN hands.seat IS 'the seat';
COMMENT ON COLUMN hands.player IS 'its player';
COMMENT ON COLUMN hands.cards IS 'the cards in the order dealt, with blanks between; ?? is a card that is not known; null: the hand is not known';
COMMENT ON COLUMN hands.card_count IS 'how many cards, 0 for a seat that sat out; null: the hand is not known';

CREATE VIEW calls AS
SELECT
  table_name, deal,
  generate_subscripts(call_seats, 1)::INTEGER AS number,
  unnest(call_seats) AS seat,
  players[unnest(call_seats) + 1] AS player,
  unnest(call_words) AS call,
  unnest(call_cards) AS card,
  unnest(call_versions) AS version
FROM deal_moves;
COMMENT ON VIEW calls IS 'One row a call in an auction, passes and doublings included, also where the call was against the rules';
COMMENT ON COLUMN calls.table_name IS 'the table';
COMMENT ON COLUMN calls.deal IS 'the deal';
COMMENT ON COLUMN calls.number IS 'number of the call within the deal, from 1';
COMMENT ON COLUMN calls.seat IS 'the seat that called';
COMMENT ON COLUMN calls.player IS 'its player';
COMMENT ON COLUMN calls.call IS 'the call, for example pass or solo';
COMMENT ON COLUMN calls.card IS 'the card named with it';
COMMENT ON COLUMN calls.version IS 'version of its entry in the table''s record';

CREATE VIEW announcements AS
SELECT
  table_name, deal,
  generate_subscripts(said_words, 1)::INTEGER AS number,
  unnest(said_seats) AS seat,
  players[unnest(said_seats) + 1] AS player,
  unnest(said_words) AS word,
  unnest(said_for) AS for_seats,
  unnest(said_versions) AS version
FROM deal_moves;
COMMENT ON VIEW announcements IS 'One row for each thing said in a deal that the rules give a meaning to';
COMMENT ON COLUMN announcements.table_name IS 'the table';
COMMENT ON COLUMN announcements.deal IS 'the deal';
COMMENT ON COLUMN announcements.number IS 'number of the announcement within the deal, from 1';
COMMENT ON COLUMN announcements.seat IS 'the seat that spoke; null: the recorder';
COMMENT ON COLUMN announcements.player IS 'its player';
COMMENT ON COLUMN announcements.word IS 'what was said, for example surrender';
COMMENT ON COLUMN announcements.for_seats IS 'the seats it speaks for, where more than one';
COMMENT ON COLUMN announcements.version IS 'version of its entry in the table''s record';

CREATE VIEW exchanges AS
SELECT
  table_name, deal,
  generate_subscripts(exchange_seats, 1)::INTEGER AS number,
  unnest(exchange_seats) AS seat,
  players[unnest(exchange_seats) + 1] AS player,
  unnest(exchange_counts) AS card_count,
  unnest(exchange_discarded) AS discarded,
  unnest(exchange_drawn) AS drawn,
  unnest(exchange_versions) AS version
FROM deal_moves;
COMMENT ON VIEW exchanges IS 'One row for each exchange of cards with the stock, also of none';
COMMENT ON COLUMN exchanges.table_name IS 'the table';
COMMENT ON COLUMN exchanges.deal IS 'the deal';
COMMENT ON COLUMN exchanges.number IS 'number of the exchange within the deal, from 1';
COMMENT ON COLUMN exchanges.seat IS 'the seat that exchanged';
COMMENT ON COLUMN exchanges.player IS 'its player';
COMMENT ON COLUMN exchanges.card_count IS 'how many cards';
COMMENT ON COLUMN exchanges.discarded IS 'the cards put aside, with blanks between; null: not recorded';
COMMENT ON COLUMN exchanges.drawn IS 'the cards drawn, with blanks between; null: not recorded';
COMMENT ON COLUMN exchanges.version IS 'version of its entry in the table''s record';

CREATE VIEW plays AS
SELECT
  table_name, deal,
  generate_subscripts(play_cards, 1)::INTEGER AS number,
  unnest(play_tricks) AS trick,
  unnest(play_places) AS place_in_trick,
  unnest(play_seats) AS seat,
  players[unnest(play_seats) + 1] AS player,
  unnest(play_cards) AS card,
  unnest(play_winners) AS trick_winner,
  unnest(play_versions) AS version
FROM deal_moves;
COMMENT ON VIEW plays IS 'One row for each card played';
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

CREATE VIEW tricks AS
SELECT
  table_name, deal,
  generate_subscripts(trick_cards, 1)::INTEGER AS trick,
  unnest(trick_leaders) AS leader,
  players[unnest(trick_leaders) + 1] AS leader_player,
  unnest(trick_cards) AS cards,
  unnest(trick_winners) AS winner,
  players[unnest(trick_winners) + 1] AS winner_player
FROM deal_moves;
COMMENT ON VIEW tricks IS 'One row a trick, the last one perhaps not complete';
COMMENT ON COLUMN tricks.table_name IS 'the table';
COMMENT ON COLUMN tricks.deal IS 'the deal';
COMMENT ON COLUMN tricks.trick IS 'number of the trick within the deal, from 1';
COMMENT ON COLUMN tricks.leader IS 'the seat that led';
COMMENT ON COLUMN tricks.leader_player IS 'its player';
COMMENT ON COLUMN tricks.cards IS 'the cards in the order played, with blanks between';
COMMENT ON COLUMN tricks.winner IS 'the seat that won it; null: not complete, or not known';
COMMENT ON COLUMN tricks.winner_player IS 'its player';
