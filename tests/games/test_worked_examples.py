"""The worked examples of the rulebooks, in each language, are the hand records under `replays/` that run.

What an example states in calls, cards and numbers is read from its text, and each of it is in one of the records whose
first line names the example; `tests/test_replays.py` compares these with what they expect.
"""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Final

import pytest

from ledger.events import BidMade
from ledger.i18n import LANGUAGES, as_written, catalogue
from ledger.table.fold import TableFold
from ledger.table.score import score_answer
from ledger.table.steps import replay_steps
from tests.games.test_rules_in_japanese import BOOKS, blocks, text_of
from tests.hand_records import REPLAYS, fold_of, record_in, table_events

_HEADING: Final = re.compile(r"### (?:[A-Z]+-12\.|[A-Z]+-|\w+ )(\d+)\b")
_CARD: Final = re.compile(r"\b[SHDC][AKQJT2-9]\b", re.ASCII)
_PLAY: Final = re.compile(rf"(?<![\w.])(\d)[: ]({_CARD.pattern})|({_CARD.pattern}) \((\d)\)", re.ASCII)
_WINNER: Final = re.compile(rf"(?:{_CARD.pattern}(?: \(\d\))? )(?:->|\|) (\d)\b", re.ASCII)
_ROW_OF_HAND: Final = re.compile(r"\| (\d)\b[^|]*\|(?: \d \|)?((?: [SHDC·][^|]*\|)+)", re.ASCII)
_HAND: Final = re.compile(rf"\b(\d)(?: =|:)((?: {_CARD.pattern}){{3,}})", re.ASCII)
_WINNERS: Final = re.compile(r"(?<![\d.,、] )\b\d(?:(?:, |、| )\d\b(?![.]\d)){4,9}(?!(?:, |、| )\d)", re.ASCII)
_CHANGES: Final = re.compile(r"(?<![\d.] )(?<![-−+\d])[-+−]?\d+(?:, [-+−]?\d+){2,3}(?![\d]| ?→)")
_CHANGES_BY_SEAT: Final = re.compile(r"0 ([-+]?\d+)[,、] ?1 ([-+]?\d+)[,、] ?2 ([-+]?\d+)[,、] ?3 ([-+]?\d+)")
_PAYMENT: Final = re.compile(r"(\d|(?:vole_)?pool|(?:ボルの)?プール) → (\d|(?:vole_)?pool|(?:ボルの)?プール) (\d+) `")
_PLACES: Final = {"プール": "pool", "ボルのプール": "vole_pool"}
_SIDE: Final = re.compile(r"`\[\d(?:,\d)*\]`")
_GAME_POINTS: Final = re.compile(r"GP:? (−?\d+)–(−?\d+)")

CALLS: Final = (
    *("pass", "take", "defer", "entrada", "vuelta", "solo", "solo_favour", "alliance", "vole", "kontra", "re", "bok"),
    *("slup", "wesele", "zolo", "zolo_du", "grand", "grand_du", "baska"),
)

Fact = tuple[object, ...]

ANTES: Final = ("OMB-3.4", "QUA-3.4")

NO_FACTS: Final = {"couillon": (11, 17), "kop": (), "ombre": (18, 19, 22), "quadrille": (4, 5)}
"""Examples of what is allowed, and of a payment at the end, which the expectations of their records repeat."""

NOT_IN_A_RECORD: Final[dict[tuple[str, int], set[Fact]]] = {
    ("couillon", 25): {("side", 1, 0)},  # another board, compared with this one
    ("quadrille", 27): {("changes", -5, 1, 1, -1)},  # after a ruling, which a hand record cannot hold
}


@cache
def examples(book: str, lang: str) -> dict[int, list[str]]:
    """Return the blocks of each worked example by its number."""
    text = text_of(book, lang)
    sections: dict[int, list[str]] = {}
    for block in blocks(text[text.index("\n## 12.") : text.index("\n## 13.")]):
        if heading := _HEADING.match(block):
            sections[int(heading[1])] = []
        elif sections:
            sections[max(sections)].append(block)
    return sections


@cache
def calls_of(book: str, lang: str) -> tuple[re.Pattern[str], dict[str, str]]:
    """Return a pattern of a seat with its call, in words or as a code, and the call of each word."""
    texts = catalogue(f"ledger.games.{book}", lang)
    words = {as_written(word): call for call in CALLS for word in (call, texts.get(f"words.{call}", call))}
    longest_first = "|".join(sorted((*words, *map(str.upper, CALLS)), key=len, reverse=True))
    return re.compile(rf"(?<![\d.])(\d)(?: {{[^}}]*}})? [`「]?({longest_first})(?![\w・])"), words


def stated(book: str, lang: str, line: str) -> Iterator[Fact]:
    """Yield what a block of an example states."""
    pattern, words = calls_of(book, lang)
    calls = pattern.findall(line)
    if len(calls) > 2:
        yield from (("call", int(seat), words[as_written(call)]) for seat, call in calls)
    plays = [(int(one[0] or one[3]), one[1] or one[2]) for one in _PLAY.findall(line)]
    winners = _WINNER.findall(line)
    if len(plays) > 2 and winners:
        yield ("trick", *plays, int(winners[0]))
    for seat, cards in _HAND.findall(line) or (_ROW_OF_HAND.findall(line) if not plays else []):
        yield "hand", int(seat), frozenset(_CARD.findall(cards))
    for seats in _WINNERS.findall(line):
        yield ("winners", *map(int, re.findall(r"\d", seats)))
    for changes in _CHANGES.findall(line):
        if re.search(r"[-+−]", changes):
            yield ("changes", *(int(one.replace("−", "-")) for one in changes.split(", ")))
    for changes in _CHANGES_BY_SEAT.findall(line):
        yield ("changes", *map(int, changes))
    for source, target, amount in _PAYMENT.findall(line):
        yield "payment", _PLACES.get(source, source), _PLACES.get(target, target), int(amount)
    for side in _SIDE.findall(line):
        yield "side", *map(int, re.findall(r"\d", side))
    for one, other in _GAME_POINTS.findall(line):
        yield "points", int(one.replace("−", "-")), int(other.replace("−", "-"))


@cache
def recorded(book: str, number: int) -> frozenset[Fact]:
    """Return what the records of an example show, with every beginning of a sequence of winners."""
    facts: set[Fact] = set()
    for path in sorted((REPLAYS / book).glob("*.toml")):
        head = path.read_text(encoding="utf-8").partition("\n")[0]
        if re.match(rf"# {book.title()} rulebook, example {number}\b", head):
            record = record_in(path)
            fold = fold_of(record)
            facts |= {("call", event.seat, event.call) for event in table_events(record) if isinstance(event, BidMade)}
            facts.update(score_of(fold), *(play_of(fold, deal.number) for deal in fold.deals), board_in(path))
    return frozenset(facts)


def play_of(fold: TableFold, deal: int) -> Iterator[Fact]:
    """Yield the hands of a deal at each step, its tricks and their winners."""
    steps = list(replay_steps(fold, deal))
    for step in steps:
        yield from (("hand", seat, frozenset(hand)) for seat, hand in enumerate(step.view.hands))
    tricks = [one for one in steps[-1].view.tricks if one.winner is not None]
    for trick in tricks:
        yield ("trick", *zip(trick.seats, trick.cards, strict=True), trick.winner)
    winners = [trick.winner for trick in tricks]
    yield from (("winners", *winners[:end]) for end in range(5, len(winners) + 1))


def score_of(fold: TableFold) -> Iterator[Fact]:
    """Yield the payments of each deal, and the changes: with the ante, without it, and summed over the deals."""
    answer = score_answer("t", fold)
    changes = []
    for deal in answer.deals:
        changes.append(deal.deltas or [0] * len(fold.players))
        antes = [0] * len(fold.players)
        for line in deal.lines:
            if line.rule in ANTES and isinstance(line.source, int):
                antes[line.source] += line.amount
        yield ("changes", *(delta + ante for delta, ante in zip(changes[-1], antes, strict=True)))
        yield from (("payment", str(line.source), str(line.target), line.amount) for line in deal.lines)
    for deltas in (*changes, *accumulate(changes, lambda *both: [sum(pair) for pair in zip(*both, strict=True)])):
        yield ("changes", *deltas)
    yield ("changes", *answer.totals)
    if answer.closing is not None:
        yield ("changes", *answer.closing.deltas)


def board_in(path: Path) -> Iterator[Fact]:
    """Yield the states of Couillon's board that the record expects, and its bars and points at the start."""
    record = tomllib.loads(path.read_text(encoding="utf-8"))
    options = record.get("options", {})
    yield "side", *[0] * options.get("bars", 5)
    yield ("points", *[options.get("start_points", 13)] * 2)
    for deal in (*record["deal"], record):
        state = deal.get("expect", {}).get("state", {})
        yield from (("side", *side) for side in state.get("sides", []))
        if "gp" in state:
            yield ("points", *state["gp"])


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("book", BOOKS)
def test_every_worked_example_is_the_record_that_runs(book: str, lang: str) -> None:
    for number, lines in examples(book, lang).items():
        facts = {fact for line in lines for fact in stated(book, lang, line)}
        wrong = facts - recorded(book, number) - NOT_IN_A_RECORD.get((book, number), set())
        assert wrong == set(), f"example {number}"
        assert facts or number in NO_FACTS[book], f"nothing of example {number} is compared"
