"""What a deal came to: every payment with its rule, then the figures by player."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.games.kernel.views import DealView
from ledger.table.answers import ClosingScore, DealScore
from ledger.table.fold import DealRecord, TableFold
from ledger.table.score import is_substituted
from ledger.text.cards import amount_text
from ledger.text.score import Payment as PaymentInWords
from ledger.text.score import payments_of, result_text, stale_text
from ledger.text.site.replay.facts import Payment, Score, Standing
from ledger.text.site.replay.rules import rule_of
from ledger.text.site.words import say
from ledger.text.unscorable import unscorable_text
from ledger.text.words import Wording, label

_MINUS: Final = "\N{MINUS SIGN}"


def score_of(
    fold: TableFold,
    record: DealRecord,
    score: DealScore,
    closing: ClosingScore | None,
    view: DealView,
    wording: Wording,
) -> Score:
    """`closing`: what the end of the match paid out, where this was its last deal. `view`: the deal after its end."""
    has_pool = "pool" in fold.match.state()
    payments = [*payments_of(score.lines, record.players, wording.lang)]
    if closing is not None:
        payments += payments_of(closing.lines, fold.players, wording.lang)
    return Score(
        title=came_to(score, wording),
        players=record.players,
        has_pool=has_pool,
        payments=[_payment(fold, one) for one in payments],
        standings=list(_standings(record, score, view, has_pool, is_substituted(fold), wording)),
        missing=unscorable_text(fold, record, wording),
    )


def came_to(score: DealScore, wording: Wording) -> str:
    """What a deal came to in a few words: its contract and result, or who won it; else what became of it."""
    outcome = score.outcome
    told = [outcome.get("contract"), outcome.get("result") or outcome.get("winning_side")]
    words = [wording.spoken(str(one)) for one in told if one]
    return wording.listed(words) if words else result_text(score, wording)


def _payment(fold: TableFold, line: PaymentInWords) -> Payment:
    rule = None if line.rule is None else rule_of(fold.game, line.rule)
    between = f"{line.source} →\N{NO-BREAK SPACE}{line.target}"
    return Payment(rule=rule, between=between, amount=line.amount, text=line.text)


def _signed(amount: int) -> str:
    """A change with a sign that is as wide as a plus."""
    return amount_text(amount).replace("-", _MINUS)


def _standings(
    record: DealRecord, score: DealScore, view: DealView, has_pool: bool, is_by_seat: bool, wording: Wording
) -> Iterator[Standing]:
    lang = wording.lang
    yield Standing(name=label(lang, "row.tricks"), figures=[str(count) for count in view.trick_counts])
    if any(view.card_points):
        yield Standing(name=label(lang, "row.points"), figures=[str(points) for points in view.card_points])
    if score.status == "complete":
        yield Standing(name=label(lang, "result"), figures=[_signed(amount) for amount in score.deltas])
    claimed = score.claimed
    if claimed is not None and claimed.deltas is not None:
        name = wording.say("score.sheet", version=claimed.version, stale=stale_text(claimed.stale, lang))
        yield Standing(name=name, figures=[_signed(amount) for amount in claimed.deltas])
    if record.totals_after:
        yield Standing(
            name=say(lang, "replay.after_seats" if is_by_seat else "replay.after"),
            figures=[_signed(amount) for amount in record.totals_after],
            pool=str(score.pool_after) if has_pool else "",
        )
