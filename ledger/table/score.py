"""The score of a table, one line with its rule for each payment: the answer of `score`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from ledger.events import Event, RulingGiven, RulingKind
from ledger.games.kernel.settlement import ScoreLine
from ledger.i18n import sentence
from ledger.table.amendments import DirectorCorrections
from ledger.table.answers import (
    Claimed,
    ClosingScore,
    DealScore,
    Line,
    MatchEnd,
    PlayerPoints,
    Ruling,
    ScoreAnswer,
    Struck,
)
from ledger.table.audit import violations_in_order
from ledger.table.fold import DECIDING_KINDS, DealRecord, TableFold
from ledger.table.outdated_rulings import OutdatedRulings


def score_answer(
    table: str, fold: TableFold, lang: str = "en", *, deal: int | None = None, is_written: bool = False
) -> ScoreAnswer:
    """Return the score sheet of a table, complete or only that `deal`; `table` is its slug.

    `is_written`: for pages, as in `sentence`. Raise `NotFoundError` for a deal that the table does not have.
    """
    records = fold.deals if deal is None else [fold.deal(deal)]
    is_over = fold.is_closed or fold.match.is_over
    closing = fold.closing
    outdated, amendments = OutdatedRulings(fold), DirectorCorrections(fold)
    return ScoreAnswer(
        table=table,
        game=fold.game.name,
        players=fold.players,
        deals=[_deal_score(fold, record, outdated, amendments, lang, is_written) for record in records],
        closing=None
        if closing is None
        else ClosingScore(
            deltas=closing.deltas,
            lines=score_lines(fold, closing.lines, fold.players, lang, is_written=is_written),
        ),
        totals=fold.match.totals,
        state=fold.match.state(),
        match=MatchEnd(over=is_over, winners=fold.match.winners() if is_over else []),
    )


def _deal_score(
    fold: TableFold,
    record: DealRecord,
    outdated: OutdatedRulings,
    amendments: DirectorCorrections,
    lang: str,
    is_written: bool,
) -> DealScore:
    settlement = record.settlement
    assert settlement is not None
    is_scored = record.status == "complete" and record.outcome is not None
    return DealScore(
        deal=record.number,
        dealer=record.dealer,
        status=record.status,
        outcome=msgspec.to_builtins(record.outcome) if is_scored else {},
        deltas=settlement.deltas,
        pool_before=settlement.pool_before,
        pool_after=settlement.pool_after,
        lines=score_lines(fold, settlement.lines, record.players, lang, is_written=is_written),
        rulings=rulings_of(record, outdated, amendments),
        struck=_struck(fold, record, amendments),
        claimed=_claimed(record, outdated),
    )


def _struck(fold: TableFold, record: DealRecord, amendments: DirectorCorrections) -> tuple[Struck, ...]:
    """Return the struck disputes and rulings of a deal; no rulings if they are left out (contract 5)."""
    struck = amendments.struck(record.number)
    return tuple(one for one in struck if not (fold.is_by_rules and isinstance(one.event, RulingGiven)))


def score_lines(
    fold: TableFold, lines: Sequence[ScoreLine], players: Sequence[str], lang: str, *, is_written: bool = False
) -> list[Line]:
    """Return payments with their sentences; `players`: those seated at the time."""
    return [
        Line(
            rule=line.rule,
            source=line.source,
            target=line.target,
            amount=line.amount,
            text=sentence(fold.game.package, line.words, players, lang, is_written=is_written),
        )
        for line in lines
    ]


def rulings_of(record: DealRecord, outdated: OutdatedRulings, amendments: DirectorCorrections) -> list[Ruling]:
    """Return the rulings on a deal in the order given; of the deciding kinds only the last is in force."""
    deciding = [version for version, ruling in record.rulings if ruling.kind in DECIDING_KINDS]
    return [
        Ruling(
            version=version,
            kind=ruling.kind,
            text=ruling.text,
            rule=ruling.rule,
            deltas=ruling.deltas,
            pool=ruling.pool,
            award=ruling.award,
            dispute=ruling.dispute,
            in_force=ruling.kind == "adjust" or version == deciding[-1],
            overruled_by=_overruled_by(version, ruling.kind, deciding),
            stale=outdated.of_ruling(version, ruling),
            corrected_by=amendments.corrected_by(version, ruling),
        )
        for version, ruling in record.rulings
    ]


def _overruled_by(version: int, kind: str, deciding: Sequence[int]) -> int | None:
    """Return the later ruling that replaced this one."""
    if kind == "adjust" or version == deciding[-1]:
        return None
    return deciding[deciding.index(version) + 1]


def _claimed(record: DealRecord, outdated: OutdatedRulings) -> Claimed | None:
    if not record.claims:
        return None
    version, claim = record.claims[-1]
    stale = outdated.of_sheet(version, claim, record.number)
    return Claimed(version=version, **msgspec.structs.asdict(claim), stale=stale)


def is_substituted(fold: TableFold) -> bool:
    """Return whether a player took the seat of another one."""
    first, *later = _seatings(fold)
    return any(players != first for players in later)


def points_by_player(fold: TableFold) -> list[PlayerPoints]:
    """Return the points of each player, in the order in which they sat down; their sum is that of the totals.

    As in the statistics, a deal and its adjustments count for its players, and the closing for the last ones. The
    starting balance belongs to the players of the first deal.
    """
    if not is_substituted(fold):
        return _of_seats(fold.players, fold.match.totals)
    points: dict[str, int] = {}
    left = list(fold.match.totals)

    def credit(players: Sequence[str], amounts: Sequence[int]) -> None:
        for seat, (player, amount) in enumerate(zip(players, amounts, strict=True)):
            points[player] = points.get(player, 0) + amount
            left[seat] -= amount

    credit(_seatings(fold)[0], fold.game.make_match(fold.options, len(fold.opened.players)).totals)
    for record in fold.deals:
        if record.settlement is not None:
            credit(record.players, record.settlement.deltas)
        for one in record.rulings:
            if one[1].kind == "adjust" and one[1].deltas is not None and one not in fold.ignored_adjustments:
                credit(record.players, one[1].deltas)
    credit(fold.players, tuple(left))
    return _of_seats(points.keys(), points.values())


def points_of(fold: TableFold, players: Sequence[str]) -> list[int]:
    """Return the points of present or former players."""
    if not is_substituted(fold):
        return fold.match.totals
    points = {one.player: one.points for one in points_by_player(fold)}
    return [points[player] for player in players]


def substitutes_points(fold: TableFold) -> list[PlayerPoints]:
    """Return the points by player where they differ from the totals of the seats; else nothing."""
    return points_by_player(fold) if is_substituted(fold) else []


def seat_titles(fold: TableFold) -> list[str]:
    """Return the consecutive players of each seat, e.g. `Baron → Zoë`: headings of totals by seat."""
    return [" → ".join(dict.fromkeys(names)) for names in zip(*_seatings(fold), strict=True)]


def _of_seats(players: Iterable[str], points: Iterable[int]) -> list[PlayerPoints]:
    return [PlayerPoints(player=player, points=gained) for player, gained in zip(players, points, strict=True)]


def _seatings(fold: TableFold) -> list[list[str]]:
    """Return the players of each deal, then the present ones."""
    return [*(record.players for record in fold.deals), fold.players]


_SETTLING: Final[Sequence[RulingKind]] = ("accept", "replace", "award", "void")
"""The kinds of ruling that settle an unscorable deal, as far as a game has them; `accept` needs a score sheet."""


class FatalFinding(Struct, frozen=True, kw_only=True):
    """An irregularity, by its id in the rulebook, after which the deal has no lawful course."""

    code: str
    version: int


class Unscorable(Struct, frozen=True, kw_only=True):
    """The reasons why a deal is not scored: facts that the record lacks (`untold`), a missing end, or `fatal` findings.

    `kinds`: the rulings that can settle it; none if the deal came after the match and does not count.
    """

    untold: Sequence[str] = ()
    is_unfinished: bool = False
    fatal: Sequence[FatalFinding] = ()
    kinds: Sequence[RulingKind] = ()


def unscorable_after(fold: TableFold, events: Sequence[Event], lang: str = "en") -> Unscorable | None:
    """Return why the last deal would not be scored after these events; None if it would be, or may be yet.

    Only that deal is folded again, not the table.
    """
    deal = fold.deals[-1]
    if deal.is_ignored:
        return None
    entries = [fold.entries[0], *fold.entries[deal.start :], *enumerate(events, fold.entries[-1][0] + 1)]
    after = TableFold(entries, signed=fold.signed, is_redacted=fold.is_redacted).deals[0]
    after.players = deal.players
    return why_unscorable(fold, after, lang)


def why_unscorable(fold: TableFold, record: DealRecord, lang: str = "en") -> Unscorable | None:
    """Return why the deal is not scored; None if it is, or may be yet."""
    if record.status != "unscorable":
        return None
    if record.is_ignored:
        return Unscorable()
    game = fold.game
    return Unscorable(
        untold=[sentence(game.package, fact, record.players, lang) for fact in record.machine.untold()],
        is_unfinished=any(violation.code == game.unfinished for violation in record.violations),
        fatal=[
            FatalFinding(code=violation.code, version=violation.version)
            for violation in violations_in_order(record)
            if violation.code in game.fatal
        ],
        kinds=[kind for kind in _SETTLING if kind in game.ruling_kinds],
    )
