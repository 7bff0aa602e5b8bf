-- Single cards: which seat held them, what became of them, and their value under the trumps of the deal.

-- Filled from the games' own tables (`card_facts.py`) when the read model is created.
CREATE TABLE card_facts (
  card_order VARCHAR NOT NULL,
  game       VARCHAR NOT NULL,
  card       VARCHAR NOT NULL,
  is_trump   BOOLEAN NOT NULL,
  is_matador BOOLEAN,
  rank       INTEGER NOT NULL,
  points     INTEGER
);

CREATE VIEW hands_after_exchange AS
WITH seated AS (
  SELECT
    table_name, deal, play_seats, play_cards, play_tricks, kept,
    unnest(range(len(players)))::INTEGER AS seat,
    unnest(players) AS player
  FROM deal_moves
  WHERE hands IS NOT NULL OR play_cards IS NOT NULL
), ended AS (
  SELECT
    table_name, deal, seat, player,
    [
      play[2] FOR play IN list_zip(play_seats, play_cards, play_tricks) IF play[1] = seat AND play[3] IS NOT NULL
    ] AS played,
    nullif(kept[seat + 1], '') AS kept
  FROM seated
), held AS (
  SELECT
    table_name, deal, seat, player,
    concat_ws(' ', nullif(array_to_string(played, ' '), ''), kept) AS cards
  FROM ended
)
SELECT table_name, deal, seat, player, cards, ((length(cards) + 1) // 3)::INTEGER AS card_count FROM held;

-- A card was also put aside if the whole hand after the exchange is known without it, and drawn if the whole hand before
-- is known and nobody was dealt it. A recorded draw never reached the hand if the whole hand after is known without it:
-- that exchange was not carried out.
CREATE VIEW cards_held AS
WITH seated AS (
  SELECT
    *,
    -- the seat of each play, if it belongs to a trick: computed once a deal, not once a seat
    [CASE WHEN play[2] IS NOT NULL THEN play[1] ELSE -1 END FOR play IN list_zip(play_seats, play_tricks)] AS owners,
    unnest(range(len(players)))::INTEGER AS seat,
    unnest(players) AS player
  FROM deal_moves
), found AS (
  SELECT
    table_name, deal, seat, player, card_order,
    array_to_string(hands, ' ') AS dealt_to_all,
    string_split(hands[seat + 1], ' ') AS dealt,
    string_split(kept[seat + 1], ' ') AS kept,
    list_position(exchange_seats, seat) AS exchange,
    exchange_counts[exchange] > 0 AS has_exchanged,
    string_split(exchange_discarded[exchange], ' ') AS aside,
    string_split(exchange_drawn[exchange], ' ') AS drawn,
    coalesce(list_filter(play_cards, lambda card, place: owners[place] = seat), []) AS played,
    list_filter(play_tricks, lambda trick, place: owners[place] = seat) AS tricks
  FROM seated
), listed AS (
  SELECT
    *,
    coalesce(NOT list_contains(dealt, '??'), false) AS is_dealt_known,
    NOT list_contains(list_concat(played, kept), '??') AS is_rest_known
  FROM found
), told AS (
  SELECT *, list_concat(dealt, aside, CASE WHEN NOT is_rest_known THEN drawn END, played, kept) AS cards FROM listed
), held AS (
  SELECT
    * EXCLUDE (cards),
    -- each card once, in a third of the time of list_distinct
    unnest(list_filter(cards, lambda card, place: list_position(cards, card) = place)) AS card
  FROM told
), traced AS (
  SELECT
    table_name, deal, seat, player, card,
    CASE
      WHEN list_contains(dealt, card) OR (list_contains(aside, card) AND NOT is_dealt_known) THEN 'dealt'
      WHEN list_contains(drawn, card) THEN 'drawn'
      WHEN has_exchanged AND is_dealt_known AND NOT contains(dealt_to_all, card) THEN 'drawn'
    END AS origin,
    CASE
      WHEN list_contains(played, card) THEN 'played'
      WHEN list_contains(kept, card) THEN 'kept'
      WHEN list_contains(aside, card) THEN 'put_aside'
      WHEN has_exchanged AND is_rest_known AND list_contains(dealt, card) THEN 'put_aside'
    END AS fate,
    tricks[list_position(played, card)] AS trick,
    card_order
  FROM held
  WHERE card NOT IN ('??', '')
)
SELECT
  table_name, deal, seat, player, card, origin, fate, trick,
  is_trump, is_matador, rank, points
FROM traced LEFT JOIN card_facts USING (card_order, card);
