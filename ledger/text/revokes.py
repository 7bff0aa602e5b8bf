"""The sentences of case sheets and of revokes, in a language: what text, page and audit have in common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ledger.i18n import Words, sentence
from ledger.table.revokes import Revoke, Withheld
from ledger.text.cards import card_text


def label(lang: str, key: str, **values: Any) -> str:
    """A sentence of the case sheet by its key."""
    return sentence(__package__ or "ledger.text.case", Words(key, values), (), lang)


def moment_text(moment: str) -> str:
    """`2026-01-05 18:30 UTC`."""
    return f"{moment[:10]} {moment[11:16]} UTC"


def revoke_sentences(revoke: Revoke, players: Sequence[str], lang: str) -> Iterator[str]:
    """When it was established, what was kept back and where that fell, who won and would have won, what came after."""
    yield label(lang, f"revoke_{revoke.established_by or 'open'}", trick=revoke.trick, established=revoke.established)
    if revoke.shown is not None:
        yield label(lang, "revoke_shown", shown=revoke.shown)
    if revoke.withheld:
        yield label(lang, "revoke_withheld", cards=", ".join(_fell(one, lang) for one in revoke.withheld))
    if revoke.winner is not None:
        yield "; ".join(_winners(revoke, players, lang))
    touched = " ".join(map(str, revoke.touched))
    yield label(lang, "revoke_touched", tricks=touched) if touched else label(lang, "revoke_untouched")
    counts = ", ".join(f"{name} {count}" for name, count in zip(players, revoke.won_after, strict=True) if count)
    yield label(lang, "revoke_won_after", trick=revoke.trick, counts=counts or "0")


def _fell(one: Withheld, lang: str) -> str:
    if one.trick is None:
        return label(lang, "revoke_not_fallen", card=card_text(one.card))
    return label(lang, "revoke_fell", card=card_text(one.card), trick=one.trick, version=one.version)


def _winners(revoke: Revoke, players: Sequence[str], lang: str) -> Iterator[str]:
    """Who won the trick, and who would have with each of the cards kept back."""
    assert revoke.winner is not None
    yield label(lang, "revoke_won", trick=revoke.trick, name=players[revoke.winner])
    for seat in dict.fromkeys(one.would_win for one in revoke.withheld):
        if seat is not None:
            cards = " ".join(card_text(one.card) for one in revoke.withheld if one.would_win == seat)
            key = "revoke_same" if seat == revoke.winner else "revoke_other"
            yield label(lang, key, cards=cards, name=players[seat])
