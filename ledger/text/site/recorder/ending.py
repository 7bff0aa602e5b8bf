"""The end of a deal on a phone: what it came to for each player, by which rules, and what may come then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from ledger.games.kernel.protocol import Game
from ledger.table.fold import DealRecord, TableFold
from ledger.table.repository import TableAsRead
from ledger.table.score import points_by_player, points_of, score_answer, score_lines
from ledger.text.deal import contract_facts
from ledger.text.score import Payment, closing_words, is_counted, payments_of
from ledger.text.site.words import begun, say
from ledger.text.unscorable import unscorable_text
from ledger.text.words import Wording, counted

_FEW: Final = 2
"""More reasons are folded away with the payments."""


class Share(Struct, frozen=True):
    """One player: what the deal moved, or the end of the match, and their points so far."""

    name: str
    amount: int
    total: int


class Why(Struct, frozen=True):
    """A payment, or what several were made for, with the rule."""

    rule: str | None
    text: str


class Ended(Struct, frozen=True, kw_only=True):
    """A deal that has ended. `contract`: what was played; `lines`: the payments with their rules, `reasons`: these
    alone, where they are few; `pool`: None where
    the game has none. `missing`: why it cannot be scored. `found`: how many irregularities, in words.
    """

    deal: int
    title: str
    contract: str
    shares: tuple[Share, ...]
    lines: tuple[Why, ...]
    reasons: tuple[Why, ...]
    pool: int | None
    missing: str | None
    found: str | None
    winners: str | None


class FinalScore(Struct, frozen=True, kw_only=True):
    """The end of a table. `summary`: who has won; `pool`: what is left in it; None where the game has none.

    `shares`: the highest first, with what the end itself moved; none where no deal was scored.
    """

    summary: str
    shares: tuple[Share, ...]
    pool: int | None


def final_of(table: TableAsRead, lang: str) -> FinalScore:
    """How a table has ended that is closed."""
    answer = score_answer(table.slug, table.fold, lang)
    closing = [0] * len(answer.players) if answer.closing is None else answer.closing.deltas
    moved = dict(zip(answer.players, closing, strict=True))
    shares = (Share(one.player, moved.get(one.player, 0), one.points) for one in points_by_player(table.fold))
    return FinalScore(
        summary=closing_words(answer, lang),
        shares=tuple(sorted(shares, key=lambda one: -one.total)) if is_counted(answer) else (),
        pool=answer.state.get("pool"),
    )


def ended_of(fold: TableFold, wording: Wording) -> Ended | None:
    """The last deal, where it has ended; None where none has."""
    if not fold.deals or fold.deals[-1].machine.status == "open":
        return None
    record, match, lang = fold.deals[-1], fold.match, wording.lang
    players = record.players
    is_scored = record.status == "complete"
    facts = contract_facts(record.machine.view(), None, players, wording)
    amounts = [0] * len(players) if record.settlement is None else record.settlement.deltas
    settled = [] if record.settlement is None else record.settlement.lines
    lines = list(payments_of(score_lines(fold, settled, players, lang, is_written=True), players, lang))
    faults = sum(found.severity != "info" for found in record.violations)
    return Ended(
        deal=record.number,
        title=_title(record, is_scored, fold.game, players, wording),
        contract=wording.listed(say(lang, "rec.fact", what=wording.say(key), fact=fact) for key, fact in facts.items()),
        shares=tuple(map(Share, players, amounts, points_of(fold, players))),
        lines=tuple(Why(line.rule, _line(line, lang)) for line in lines),
        reasons=_reasons(lines),
        pool=match.state().get("pool"),
        missing=unscorable_text(fold, record, wording),
        found=counted(lang, faults, "finding") if faults else None,
        winners=wording.say("and").join(players[seat] for seat in match.winners()) if match.is_over else None,
    )


def _title(record: DealRecord, is_scored: bool, game: Game, players: Sequence[str], wording: Wording) -> str:
    """What the deal came to in the game's own word, else who has won or lost it."""
    deal, lang = record.number, wording.lang
    result = getattr(record.outcome, "result", None) if is_scored else record.status
    if result is not None:
        return say(lang, "rec.deal_over", deal=deal, result=wording.spoken(result))
    summary = game.summarise(record.outcome) if is_scored else None
    if summary is None or not summary.played_by or summary.won is None:
        return say(lang, "rec.deal_ended", deal=deal)
    side = [*summary.played_by, *(() if summary.partner is None else (summary.partner,))]
    names = wording.say("and").join(players[seat] for seat in side)
    return say(lang, "rec.deal_won" if summary.won else "rec.deal_lost", deal=deal, names=names)


def _reasons(lines: Sequence[Payment]) -> tuple[Why, ...]:
    found = tuple(dict.fromkeys((line.rule, line.text) for line in lines))
    return tuple(Why(rule, begun(text)) for rule, text in found) if len(found) <= _FEW else ()


def _line(line: Payment, lang: str) -> str:
    return say(lang, "rec.line", source=line.source, target=line.target, amount=line.amount, text=line.text)
