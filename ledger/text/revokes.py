"""A revoke in sentences, in a language, as the audit and the case sheet tell it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat

from ledger.table.revokes import Revoke, Withheld
from ledger.text.cards import card_text
from ledger.text.words import label


def revoke_sentences(revoke: Revoke, players: Sequence[str], lang: str) -> Iterator[str]:
    """When it was established, what was kept back and where that fell, who won and would have won, what came after."""
    yield label(lang, f"revoke.{revoke.established_by or 'open'}", trick=revoke.trick, established=revoke.established)
    if revoke.shown is not None:
        yield label(lang, "revoke.shown", shown=revoke.shown)
    if revoke.withheld:
        yield withheld_sentence(map(fell_text, revoke.withheld, repeat(lang)), lang)
    if revoke.winner is not None:
        yield label(lang, "clauses").join(_winners(revoke, players, lang))
    touched = label(lang, "list").join(map(str, revoke.touched))
    yield label(lang, "revoke.touched", tricks=touched) if touched else label(lang, "revoke.untouched")
    counts = label(lang, "list").join(
        f"{name} {count}" for name, count in zip(players, revoke.won_after, strict=True) if count
    )
    yield label(lang, "revoke.won_after", trick=revoke.trick, counts=counts or "0")


def withheld_sentence(fell: Iterable[str], lang: str) -> str:
    """What was kept back; `fell`: each card with where it fell."""
    return label(lang, "revoke.withheld", cards=label(lang, "list").join(fell))


def fell_text(one: Withheld, lang: str) -> str:
    """A card kept back, and where it fell."""
    if one.trick is None:
        return label(lang, "revoke.not_fallen", card=card_text(one.card))
    return label(lang, "revoke.fell", card=card_text(one.card), trick=one.trick, version=one.version)


def _winners(revoke: Revoke, players: Sequence[str], lang: str) -> Iterator[str]:
    """Who won the trick, and who would have with each of the cards kept back."""
    assert revoke.winner is not None
    yield label(lang, "revoke.won", trick=revoke.trick, name=players[revoke.winner])
    for seat in dict.fromkeys(one.would_win for one in revoke.withheld):
        if seat is not None:
            cards = " ".join(card_text(one.card) for one in revoke.withheld if one.would_win == seat)
            key = "revoke.same" if seat == revoke.winner else "revoke.other"
            yield label(lang, key, cards=cards, name=players[seat])
