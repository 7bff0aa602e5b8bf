"""Describe the deal above the recorder's keyboard: the act that comes next, and at the end each player's score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from msgspec import Struct

from ledger.cards import SYMBOLS
from ledger.events import TrumpNamed
from ledger.games.kernel.protocol import Game
from ledger.games.kernel.views import DealView
from ledger.recording.board.keyboard import Board, Keyboard, suit_led
from ledger.recording.board.offers import Offers
from ledger.recording.typed.situation import Situation
from ledger.table.fold import DealRecord, TableFold
from ledger.table.repository import TableAsRead
from ledger.table.score import points_by_player, points_of, score_answer, score_lines
from ledger.text.catalogue import Wording, counted
from ledger.text.deal import contract_facts
from ledger.text.score import Payment, closing_words, is_counted, payments_of, unscorable_text
from ledger.text.site.catalogue import capitalised, say


class Prompt(NamedTuple):
    """A request to the recorder. `detail`: the place in the deal."""

    text: str
    detail: str = ""


def prompt_of(now: Situation, board: Board, offers: Offers, keys: Keyboard | None, wording: Wording) -> Prompt:
    """Return the prompt for the next act."""
    lang = wording.lang
    if offers.gathered:
        return Prompt(say(lang, "rec.who_took"), _trick(board, now, lang))
    key = _awaited(offers, keys, board)
    detail = _detail(key, now, board, offers, wording)
    if board.turn is None:
        return Prompt(say(lang, "rec.who_names" if key == "names" else "rec.anybody"), detail)
    return Prompt(say(lang, f"rec.{key}", name=board.players[board.turn]), detail)


def _awaited(offers: Offers, keys: Keyboard | None, board: Board) -> str:
    if offers.exchange is not None:
        return "exchanges"
    if offers.calls:
        return "names" if all(isinstance(one.act, TrumpNamed) for one in offers.calls) else "calls"
    if keys is not None and keys.purpose == "turn":
        return "turns"
    if keys is not None and keys.purpose == "call":
        return "calls_card"
    if keys is not None:
        is_new = not board.trick or len(board.trick) == board.size
        return "leads" if is_new else "plays"
    return "names" if any(isinstance(one.act, TrumpNamed) for one in offers.said) else "speaks"


def _detail(key: str, now: Situation, board: Board, offers: Offers, wording: Wording) -> str:
    view = None if now.machine is None else now.machine.view()
    if key == "exchanges" and offers.exchange is not None:
        return say(wording.lang, "rec.how_many", count=offers.exchange.left)
    if key in ("plays", "leads"):
        return _trick(board, now, wording.lang)
    return "" if view is None else _calls(view, now, wording)


def _calls(view: DealView, now: Situation, wording: Wording) -> str:
    """Return the calls so far except passes."""
    said = [call for call in view.auction if call["call"] != now.game.passing]
    names = now.players
    calls = (say(wording.lang, "rec.act_of", name=names[one["seat"]], what=wording.spoken(one["call"])) for one in said)
    return wording.listed(calls)


def _trick(board: Board, now: Situation, lang: str) -> str:
    laid = None if now.machine is None else now.machine.laid()
    if laid is None:
        return ""
    awaits_winner = bool(laid.winners) and laid.winners[-1] is None
    number = len(laid.winners) + (1 if laid.on_table or not awaits_winner else 0)
    led = suit_led(laid)
    if led is None:
        return say(lang, "rec.trick", trick=number)
    if led not in SYMBOLS:
        return say(lang, "rec.trumps_led", trick=number)
    return say(lang, "rec.suit_led", trick=number, suit=SYMBOLS[led])


_FEW: Final = 2
"""With more reasons than these, they are folded with the payments."""


class PlayerScore(Struct, frozen=True):
    """A player's amount of the deal (or of the end of the match), and their points so far."""

    name: str
    amount: int
    total: int


class PaymentReason(Struct, frozen=True):
    """The reason of one or more payments, with its rule."""

    rule: str | None
    text: str


class DealResult(Struct, frozen=True, kw_only=True):
    """A deal that has ended.

    `contract`: what was played. `lines`: the payments with their rules. `reasons`: the reasons alone, if they are few.
    `pool`: None if the game has none. `missing`: why the deal cannot be scored. `findings`: the number of
    irregularities in words.
    """

    deal: int
    title: str
    contract: str
    shares: tuple[PlayerScore, ...]
    lines: tuple[PaymentReason, ...]
    reasons: tuple[PaymentReason, ...]
    pool: int | None
    missing: str | None
    findings: str | None
    winners: str | None


class FinalScore(Struct, frozen=True, kw_only=True):
    """The end of a table.

    `summary`: who has won. `pool`: the amount left in it, None if the game has none. `shares`: the players, highest
    total first, with the amounts of the end itself; empty if no deal was scored.
    """

    summary: str
    shares: tuple[PlayerScore, ...]
    pool: int | None


def final_of(table: TableAsRead, lang: str) -> FinalScore:
    """Return the final score of a closed table."""
    answer = score_answer(table.slug, table.fold, lang)
    closing = [0] * len(answer.players) if answer.closing is None else answer.closing.deltas
    moved = dict(zip(answer.players, closing, strict=True))
    shares = (PlayerScore(one.player, moved.get(one.player, 0), one.points) for one in points_by_player(table.fold))
    return FinalScore(
        summary=closing_words(answer, lang),
        shares=tuple(sorted(shares, key=lambda one: -one.total)) if is_counted(answer) else (),
        pool=answer.state.get("pool"),
    )


def deal_result_of(fold: TableFold, wording: Wording) -> DealResult | None:
    """Return the result of the last deal, None if it has not ended."""
    if not fold.deals or fold.deals[-1].machine.status == "open":
        return None
    record, match, lang = fold.deals[-1], fold.match, wording.lang
    players = record.players
    is_scored = record.status == "complete"
    facts = contract_facts(record.machine.view(), None, players, wording)
    amounts = [0] * len(players) if record.settlement is None else record.settlement.deltas
    settled = [] if record.settlement is None else record.settlement.lines
    lines = list(payments_of(score_lines(fold, settled, players, lang, is_written=True), players, lang))
    faults = sum(violation.severity != "info" for violation in record.violations)
    return DealResult(
        deal=record.number,
        title=_title(record, is_scored, fold.game, players, wording),
        contract=wording.listed(say(lang, "rec.fact", what=wording.say(key), fact=fact) for key, fact in facts.items()),
        shares=tuple(map(PlayerScore, players, amounts, points_of(fold, players))),
        lines=tuple(PaymentReason(line.rule, _line(line, lang)) for line in lines),
        reasons=_reasons(lines),
        pool=match.state().get("pool"),
        missing=unscorable_text(fold, record, wording),
        findings=counted(lang, faults, "finding") if faults else None,
        winners=wording.say("and").join(players[seat] for seat in match.winners()) if match.is_over else None,
    )


def _title(record: DealRecord, is_scored: bool, game: Game, players: Sequence[str], wording: Wording) -> str:
    """Return the deal's result in the game's own word, else who has won or lost."""
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


def _reasons(lines: Sequence[Payment]) -> tuple[PaymentReason, ...]:
    reasons = tuple(dict.fromkeys((line.rule, line.text) for line in lines))
    return tuple(PaymentReason(rule, capitalised(text)) for rule, text in reasons) if len(reasons) <= _FEW else ()


def _line(line: Payment, lang: str) -> str:
    return say(lang, "rec.line", source=line.source, target=line.target, amount=line.amount, text=line.text)
