"""Whose act is awaited, and which: the band above the keyboard."""

from __future__ import annotations

from typing import NamedTuple

from ledger.cards import SYMBOLS
from ledger.events import TrumpNamed
from ledger.games.kernel.views import DealView
from ledger.recording.board.keyboard import Board, Keyboard, suit_led
from ledger.recording.board.offers import Offers
from ledger.recording.typed.situation import Situation
from ledger.text.site.words import say
from ledger.text.words import Wording


class Asking(NamedTuple):
    """`asked`: the sentence; `detail`: where in the deal."""

    asked: str
    detail: str = ""


def asking_of(now: Situation, board: Board, offers: Offers, keys: Keyboard | None, wording: Wording) -> Asking:
    """What the recorder is waited for."""
    lang = wording.lang
    if offers.gathered:
        return Asking(say(lang, "rec.who_took"), _trick(board, now, lang))
    key = _awaited(offers, keys, board)
    detail = _detail(key, now, board, offers, wording)
    if board.turn is None:
        return Asking(say(lang, "rec.who_names" if key == "names" else "rec.anybody"), detail)
    return Asking(say(lang, f"rec.{key}", name=board.players[board.turn]), detail)


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
    """What was said so far but for passes."""
    said = [call for call in view.auction if call["call"] != now.game.passing]
    names = now.players
    told = (say(wording.lang, "rec.act_of", name=names[one["seat"]], what=wording.spoken(one["call"])) for one in said)
    return wording.listed(told)


def _trick(board: Board, now: Situation, lang: str) -> str:
    laid = None if now.machine is None else now.machine.laid()
    if laid is None:
        return ""
    number = len(laid.winners) + bool(laid.on_table) + (not laid.on_table and not _awaits_winner(laid.winners))
    led = suit_led(laid)
    if led is None:
        return say(lang, "rec.trick", trick=number)
    if led not in SYMBOLS:
        return say(lang, "rec.trumps_led", trick=number)
    return say(lang, "rec.suit_led", trick=number, suit=SYMBOLS[led])


def _awaits_winner(winners: list[int | None]) -> bool:
    return bool(winners) and winners[-1] is None
