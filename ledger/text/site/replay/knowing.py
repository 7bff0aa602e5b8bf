"""What somebody at the table had seen at a step, in words: his own cards, what had fallen, and what was out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ledger.cards import SYMBOLS
from ledger.table.seen import Seen, SuitSeen
from ledger.text.cards import cards_text
from ledger.text.pictures.cards import sorted_hand
from ledger.text.site.replay.facts import Knowledge, SuitKnown
from ledger.text.site.words import say
from ledger.text.words import Wording, label


def knowledge_of(seen: Seen, seat: int, players: Sequence[str], wording: Wording) -> Knowledge | None:
    """None while there is nothing to be seen yet."""
    lang, name = wording.lang, players[seat]
    if not seen.held and not seen.suits:
        return None
    return Knowledge(
        title=say(lang, "replay.had_seen", name=name),
        answer=_answer(seen, name, lang) if seen.is_whole else say(lang, "replay.not_all_told", name=name),
        own=list(_own(seen, lang)),
        suits=[_suit(one, lang) for one in seen.suits],
        is_whole=seen.is_whole,
        places=_places(seen, players, wording) if any(one.unseen for one in seen.suits) else "",
    )


def _answer(seen: Seen, name: str, lang: str) -> str:
    """Could he have known that trumps were out? Empty while there are none."""
    trumps = next((one for one in seen.suits if one.suit is None), None)
    if trumps is None:
        return ""
    if not trumps.unseen:
        return say(lang, "replay.no_trump_out", name=name)
    return say(lang, "replay.trumps_out", name=name, count=len(trumps.unseen), cards=cards_text(trumps.unseen))


def _own(seen: Seen, lang: str) -> Iterator[tuple[str, str]]:
    for key, cards in (("in_hand", seen.held), ("own_aside", seen.put_aside), ("shown_otherwise", seen.shown)):
        if cards:
            yield say(lang, f"replay.{key}"), cards_text(sorted_hand(cards))


def _suit(one: SuitSeen, lang: str) -> SuitKnown:
    return SuitKnown(
        name=label(lang, "trumps") if one.suit is None else SYMBOLS[one.suit],
        fallen=cards_text(one.fallen),
        unseen=cards_text(one.unseen),
    )


def _places(seen: Seen, players: Sequence[str], wording: Wording) -> str:
    """Where the cards may lie that he had not seen."""
    lang = wording.lang
    places = []
    if seen.others:
        names = wording.listed(players[other] for other in seen.others)
        places.append(say(lang, "replay.in_hand_of", names=names))
    if seen.is_aside_hidden:
        places.append(say(lang, "replay.aside_of_others"))
    if seen.is_stock_hidden:
        places.append(say(lang, "replay.in_stock"))
    return say(lang, "replay.unseen_lies", places=wording.clauses(places)) if places else ""
