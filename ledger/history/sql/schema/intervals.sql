-- Intervals of shares and means, available to any query.

-- The bounds of Wilson's 95 % interval of a share: `hits` of `trials`. Null without a trial.
-- For 8 of 10: 0.490 and 0.943. Unlike the textbook's p ± 1.96 s it stays within 0 and 1 and is honest about small samples.
-- The rounding of the constants must not take the lower bound of no hits below 0.
CREATE MACRO wilson_low(hits, trials) AS
  CASE WHEN hits = 0 AND trials > 0 THEN 0.0 ELSE
    (hits + 1.920729 - 1.959964 * sqrt(hits * (trials - hits) / nullif(trials, 0) + 0.960365)) / (trials + 3.841459)
  END;

CREATE MACRO wilson_high(hits, trials) AS
  (hits + 1.920729 + 1.959964 * sqrt(hits * (trials - hits) / nullif(trials, 0) + 0.960365)) / (trials + 3.841459);

-- The numbers of `minimum_deals`; one text, because a CASE of them all takes five times as long to plan.
CREATE MACRO measured_minima() AS '{
  "points":     {"ombre": 15,  "quadrille": 10,  "kop": 25,  "baska": 25,  "couillon": 10,  "other": 25},
  "contract":   {"ombre": 10,                    "kop": 10,  "baska": 10,  "couillon": 10},
  "du":         {                                "kop": 10},
  "declarer":   {"ombre": 10,                    "kop": 40,  "baska": 200, "couillon": 10},
  "partner":    {                                "kop": 10,  "baska": 10,  "couillon": 10},
  "defender":   {              "quadrille": 10,  "kop": 10,  "baska": 30,  "couillon": 10},
  "gain":       {                                "kop": 150, "baska": 70,  "couillon": 200, "other": 200},
  "cards":      {"ombre": 100, "quadrille": 500, "kop": 10,  "baska": 30,  "couillon": 10,  "other": 500},
  "calls":      {"ombre": 10,  "quadrille": 10,  "kop": 10,  "baska": 10,  "couillon": 10,  "other": 10}
}'::JSON;

-- The number of deals from which a mean of this game has an interval: with fewer, the interval held the true mean in less
-- than 93 of 100 measured cases (`python -m tools.coverage`, docs/explanation/intervals.md). `mean` names the quantity: 'points' of a
-- player, of a 'contract' (or a word, an exchange), of a 'du' contract, of a role ('declarer', 'partner', 'defender'),
-- the 'gain' of the seat that gained most, 'cards' or 'calls'. Null: no number was enough. A game that was not measured
-- needs the largest number of all games.
CREATE MACRO minimum_deals(game, mean) AS
  coalesce(measured_minima() -> mean ->> game, measured_minima() -> mean ->> 'other')::INTEGER;

-- The 97.5 % quantile of Student's t: from a table up to ten degrees of freedom, else by Fisher and Cornish.
CREATE MACRO student_t(freedom) AS
  coalesce(
    [12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157, 2.228139][freedom::INTEGER],
    1.959964 + (2.372271 + (2.822499 + (2.555850 + 1.589534 / freedom) / freedom) / freedom) / freedom
  );

-- The bounds of a mean over `deals` in independent `units`: single deals or whole tables. `squares` adds up the
-- squared deviations of the units. Four more units lie one point off the mean, as Agresti and Coull add two successes and
-- two failures to a share: a few equal amounts do not prove that there are no others.
CREATE MACRO bounds_about(mean, squares, units, deals) AS CASE WHEN units > 1 THEN
  list_transform(
    [-1, 1],
    lambda side: mean + side * student_t(units - 1) * sqrt((greatest(squares, 0) + 4) * units / (units - 1)) / deals
  )
END;

-- The bounds of the 95 % interval of a mean, as a list of two, for independent deals; `spread` is histogram(amount).
-- Null with fewer than two deals, which show no spread.
CREATE MACRO mean_interval(spread) AS (
  SELECT bounds_about(total / deals, squares - total * total / deals, deals, deals)
  FROM (
    SELECT sum(n) AS deals, sum(n * amount) AS total, sum(n * amount * amount) AS squares
    FROM (SELECT unnest(map_keys(spread))::DOUBLE AS amount, unnest(map_values(spread))::DOUBLE AS n)
  )
);

-- The same from sums over whole tables, the units if the deals of a table depend on each other: `squares` and `products`
-- add up points² and points × deals of each table, `sizes` deals².
CREATE MACRO bounds_by_table(tables, deals, points, squares, products, sizes) AS
  bounds_about(
    points / deals, squares - 2 * points / deals * products + points / deals * points / deals * sizes, tables, deals
  );

-- `amounts` is list({'at_table': hash(table_name), 'amount': amount}). Null with fewer than two tables.
CREATE MACRO mean_interval_by_table(amounts) AS (
  SELECT bounds_by_table(
    count(*)::DOUBLE, sum(deals), sum(points), sum(points * points), sum(points * deals), sum(deals * deals)
  )
  FROM (
    SELECT sum(moved.amount)::DOUBLE AS points, count(*)::DOUBLE AS deals
    FROM (SELECT unnest(amounts) AS moved)
    GROUP BY moved.at_table
  )
);

-- The aggregate of amounts that an interval needs. `unit` is null or 'table'. Only 'table' distinguishes tables; otherwise
-- sums are enough: a map of the amounts of each pair of players took most of the time. Without a table, it is the aggregate
-- for `bounds_of_deals`.
CREATE MACRO amounts_of
(amount) AS {
  'deals': count(amount),
  'total': sum(amount::DOUBLE),
  'squares': sum(amount::DOUBLE * amount::DOUBLE),
  'lowest': min(amount)::DOUBLE,
  'highest': max(amount)::DOUBLE
},
(amount, table_name, unit) AS {
  'deals': count(amount),
  'total': sum(amount::DOUBLE),
  'squares': sum(amount::DOUBLE * amount::DOUBLE),
  'lowest': min(amount)::DOUBLE,
  'highest': max(amount)::DOUBLE,
  'by_table':
    list(CASE WHEN unit::VARCHAR = 'table' THEN {'at_table': hash(table_name), 'amount': amount} END)
    FILTER (unit::VARCHAR = 'table' AND amount IS NOT NULL)
};

-- The number of tables from which a mean has an interval by tables: with fewer, it held the true mean too rarely for
-- players who met weak and strong opponents in turn (`python -m tools.coverage`, docs/explanation/intervals.md).
CREATE MACRO minimum_tables() AS 5;

-- Whether all amounts but one at most are equal: such a sample does not show how far amounts vary. All but one equal the
-- lowest exactly if the distances from the lowest add up to no more than the range; likewise for the highest.
CREATE MACRO hardly_vary(amounts) AS
  least(amounts.total - amounts.deals * amounts.lowest, amounts.deals * amounts.highest - amounts.total)
  <= amounts.highest - amounts.lowest;

-- The bounds from that aggregate for independent deals; null with fewer deals than `least` (or without it), and with
-- amounts that hardly vary.
CREATE MACRO bounds_of_deals(amounts, least) AS CASE
  WHEN coalesce(amounts.deals < least, true) OR hardly_vary(amounts) THEN NULL
  ELSE
    bounds_about(
      amounts.total / amounts.deals,
      amounts.squares - amounts.total * amounts.total / amounts.deals,
      amounts.deals::DOUBLE,
      amounts.deals::DOUBLE
    )
END;

-- The same by deals or by tables, whichever the aggregate was made for; null also with too few tables for an interval by
-- tables. Planning its subquery takes a fifth of the time of a small statistic, so that statistics without `by` are run
-- with `bounds_of_deals` instead.
CREATE MACRO bounds_of(amounts, least) AS CASE
  WHEN amounts.by_table IS NULL THEN bounds_of_deals(amounts, least)
  WHEN coalesce(amounts.deals < least, true) OR hardly_vary(amounts) THEN NULL
  WHEN len(list_distinct(list_transform(amounts.by_table, lambda moved: moved.at_table))) >= minimum_tables() THEN
    mean_interval_by_table(amounts.by_table)
END;
