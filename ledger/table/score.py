"""The score of a table, every payment a line with its rule: the answer of `score`."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ledger.events import RulingGiven
from ledger.games.kernel.settlement import ScoreLine
from ledger.i18n import sentence
from ledger.table.amended import Amended
from ledger.table.answers import Claimed, ClosingScore, DealScore, Line, MatchEnd, Ruling, ScoreAnswer, Struck
from ledger.table.fold import DECIDING_KINDS, DealRecord, TableFold
from ledger.table.stale import Superseded


def score_answer(
    table: str, fold: TableFold, lang: str = "en", *, deal: int | None = None, is_written: bool = False
) -> ScoreAnswer:
    """The score sheet of a table, whole or only that `deal`; `table` is its slug. `is_written`: as of `sentence`, for
    pages.

    Raises `NotFoundError` for a deal that the table does not have.
    """
    records = fold.deals if deal is None else [fold.deal(deal)]
    is_over = fold.is_closed or fold.match.is_over
    closing = fold.closing
    superseded, amended = Superseded(fold), Amended(fold)
    return ScoreAnswer(
        table=table,
        game=fold.game.name,
        players=fold.players,
        deals=[_deal_score(fold, record, superseded, amended, lang, is_written) for record in records],
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
    fold: TableFold, record: DealRecord, superseded: Superseded, amended: Amended, lang: str, is_written: bool
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
        rulings=rulings_of(record, superseded, amended),
        struck=_struck(fold, record, amended),
        claimed=_claimed(record, superseded),
    )


def _struck(fold: TableFold, record: DealRecord, amended: Amended) -> tuple[Struck, ...]:
    """What stands beside the rulings: where those are left out, no struck one either (contract 5)."""
    struck = amended.struck(record.number)
    return tuple(one for one in struck if not (fold.is_by_rules and isinstance(one.event, RulingGiven)))


def score_lines(
    fold: TableFold, lines: Sequence[ScoreLine], players: Sequence[str], lang: str, *, is_written: bool = False
) -> list[Line]:
    """Payments with their sentences; `players`: who sat there then."""
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


def rulings_of(record: DealRecord, superseded: Superseded, amended: Amended) -> list[Ruling]:
    """The rulings on a deal in the order in which they were given; of the deciding kinds the last is in force."""
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
            stale=superseded.of_ruling(version, ruling),
            corrected_by=amended.corrected_by(version, ruling),
        )
        for version, ruling in record.rulings
    ]


def _overruled_by(version: int, kind: str, deciding: Sequence[int]) -> int | None:
    """The ruling that came after it and took its place."""
    if kind == "adjust" or version == deciding[-1]:
        return None
    return deciding[deciding.index(version) + 1]


def _claimed(record: DealRecord, superseded: Superseded) -> Claimed | None:
    if not record.claims:
        return None
    version, claim = record.claims[-1]
    return Claimed(
        version=version,
        deltas=claim.deltas,
        pool=claim.pool,
        totals=claim.totals,
        sheet=claim.sheet,
        stale=superseded.of_sheet(version, claim, record.number),
    )
