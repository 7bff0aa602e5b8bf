"""A picture in words: its title says what was done, its description what lies there, for who cannot see it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from ledger.cards import RANKS, SUITS, UNKNOWN
from ledger.i18n import catalogue
from ledger.text.deal import laid
from ledger.text.events import event_text
from ledger.text.letters import Letters, lettered, rank_word, spanish_names
from ledger.text.pictures.moment import Moment
from ledger.text.words import label


def title(moment: Moment) -> str:
    say, event, played = moment.wording.say, moment.event, moment.played
    if event is None:
        return say("picture.before", deal=moment.deal)
    if played is None:
        viewer = moment.viewer
        done = lettered(event_text(event, moment.players, moment.wording, viewer), moment.letters, moment.wording.lang)
    else:
        name, card = moment.players[played.seat], spoken(played.card, moment.wording.lang, moment.letters)
        done = say("picture.played", trick=len(moment.view.tricks), name=name, card=card)
    return say("picture.title", deal=moment.deal, step=moment.step, done=done)


def description(moment: Moment) -> str:
    """Whole sentences, one after the other."""
    return moment.wording.say("picture.between").join(_sentences(moment))


def _sentences(moment: Moment) -> Iterator[str]:
    wording, view, players = moment.wording, moment.view, moment.players
    say, lang, letters = wording.say, wording.lang, moment.letters
    direction = "picture.to_the_right" if moment.goes_to_the_right else "picture.to_the_left"
    yield say(direction, count=len(players), name=players[moment.below])
    if view.dealer is not None:
        yield say("picture.deals", name=players[view.dealer])
    if view.declarer is not None and view.contract is not None:
        yield say("picture.plays", name=players[view.declarer], contract=wording.word(view.contract))
    if view.trump is not None:
        yield say("picture.trumps", suit=suit_spoken(view.trump, lang, letters))
    if moment.trick is not None:
        laid_cards = (
            say("picture.laid", name=players[who], card=spoken(card, lang, letters)) for who, card in laid(moment.trick)
        )
        yield say("picture.trick", cards=wording.listed(laid_cards))
        if moment.trick.winner is not None:
            yield say("picture.taken", name=players[moment.trick.winner])
    for seat, hand in enumerate(view.hands):
        if hand:
            yield say("picture.holds", name=players[seat], cards=held(hand, moment))
    if view.stock:
        yield say("picture.stock_of", cards=held(view.stock, moment))
    if any(view.trick_counts):
        won = (f"{players[seat]} {count}" for seat, count in enumerate(view.trick_counts) if count)
        yield say("picture.won", counts=wording.listed(won))
    if moment.lit is not None:
        cards = wording.listed(spoken(card, lang, letters) for card in moment.lit.cards)
        key = "picture.may" if moment.lit.is_next else "picture.might"
        yield say(key, name=players[moment.lit.seat], cards=cards)
    if moment.due is not None:
        yield say("picture.due", name=players[moment.due])


def held(cards: Iterable[str], moment: Moment) -> str:
    """Cards by suits: `spades A 2, diamonds 10 6, 3 unknown`."""
    known, lang, letters = list(cards), moment.wording.lang, moment.letters
    parts = []
    for suit in SUITS:
        ranks = sorted((card[1] for card in known if card[0] == suit), key=RANKS.index)
        if ranks:
            shown = " ".join(rank_word(rank, letters, lang) for rank in ranks)
            parts.append(f"{suit_spoken(suit, lang, letters)} {shown}")
    unknown = known.count(UNKNOWN)
    if unknown:
        parts.append(label(lang, "picture.unknown", count=unknown))
    return moment.wording.listed(parts)


@cache
def spoken(card: str, lang: str, letters: Letters = "en") -> str:
    """`the ace of spades`, as it is said aloud."""
    if card == UNKNOWN:
        return label(lang, "picture.unknown_card")
    named = None if letters == "es" else catalogue("ledger.i18n", lang).get(f"rank.{card[1]}")
    rank = rank_word(card[1], letters, lang) if named is None else _first(named)
    return label(lang, "picture.card", rank=rank, suit=suit_spoken(card[0], lang, letters))


def suit_spoken(suit: str, lang: str, letters: Letters = "en") -> str:
    if letters == "es":
        return spanish_names(lang)[f"spanish_suit.{suit}"]
    return _first(catalogue("ledger.i18n", lang)[f"suit.{suit}"])


def _first(words: str) -> str:
    """Of several words for one thing, the usual one."""
    return words.partition(",")[0].strip()
