"""Cases read from a file: a deal in words, what the audit finds in it, and what it comes to.

    [[case]]
    name = "a card out of turn stands and the skipped seat is due"
    deal = "playing, 0 HK, 2 H2"
    found = ["11.33 by 2, legal nothing"]
    turn = 1
    then = [{ deal = "1 HJ", winner = 0, found = ["11.33"] }]

`deal` starts with a builder of the test file and its arguments; `with 0: SA S2 / 2: HK` are its hands. Steps follow:
`0 pass`, `0 names S`, `0 calls DK`, `0 says stop`, `the recorder says stop`, `0 HK`, or the cards of a trick from its
leader on. `then` goes on with the same record. Words in capitals stand for what `[words]` of the file says. Each other
key is a fact of `_fact`; `none` stands for null.

`found` lists all findings. Each is a code, which may be followed by `(rule)`, by its seat or `nobody`, by `at` its
version, by what was `legal` instead (`unsaid` for null), and by `: ` and its message. With a seat, the finding is at
the last entry unless `at` says otherwise.
"""

from __future__ import annotations

import inspect
import re
import tomllib
from collections.abc import Callable
from functools import cached_property
from itertools import chain, repeat
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import pytest
from msgspec import to_builtins

from ledger.events import Announced, Award, BidMade, CardsDealt, PartnerCalled
from ledger.games import game_named
from ledger.table.answers import Finding, ReplayAnswer, ScoreAnswer
from tests.builders import Record, without_prefix

Builder: TypeAlias = Callable[..., Record]

_CARD = re.compile(r"[SHDC][AKQJT2-9]|\?\?")
_FOUND = re.compile(
    r"(?P<code>\S+?)(?: \((?P<rule>\S+)\))?(?: by (?P<seat>\w+))?(?: at (?P<at>\w+))?(?:, legal (?P<legal>[^:]+))?"
    r"(?:: (?P<message>.*))?"
)


class ScriptedCase(NamedTuple):
    row: dict[str, Any]
    words: dict[str, str]
    """What stands for longer parts of a deal."""
    builders: dict[str, Builder]

    def check(self) -> None:
        """Compare what the record of the row comes to with the row, stage by stage."""
        first, *steps = self._steps(self.row)
        record = _built(first, self.builders)
        _go_on(record, steps)
        _assert_facts(record, self.row)
        for stage in self.row.get("then", ()):
            _go_on(record, self._steps(stage))
            _assert_facts(record, stage)

    def _steps(self, stage: dict[str, Any]) -> list[str]:
        return re.sub(r"\b[A-Z_]{3,}\b", lambda word: self.words.get(word[0], word[0]), stage["deal"]).split(", ")


def cases_of(file: str, *builders: Builder) -> Any:
    """Parametrize a test with the `case`s of a file in `tests/games`."""
    content = tomllib.loads((Path(__file__).parent / file).read_text("utf-8"))
    rows = content["case"]
    assert len({row["name"] for row in rows}) == len(rows)
    known = {builder.__name__.lower().replace("_", " "): builder for builder in builders}
    words = content.get("words", {})
    return pytest.mark.parametrize(
        "scripted_case",
        [pytest.param(ScriptedCase(row, words, known), id=row["name"].replace(" ", "_")) for row in rows],
    )


def _built(words: str, builders: dict[str, Builder]) -> Record:
    head, _, hands = words.partition(" with ")
    name = max((name for name in builders if f"{head} ".startswith(f"{name} ")), key=len)
    builder, parameters = builders[name], inspect.signature(builders[name]).parameters
    given = [word for word in head.removeprefix(name).split() if "=" not in word]
    named = dict(word.split("=") for word in head.removeprefix(name).split() if "=" in word)
    kinds = {
        key: str if isinstance(one.default, str) or one.annotation == "str" else int for key, one in parameters.items()
    }
    options: dict[str, Any] = {key: _value(text, kinds.get(key, int)) for key, text in named.items()}
    if hands:
        options["hands"] = _hands(hands)
    return builder(*map(_value, given, kinds.values()), **options)


def _value(text: str, kind: type = int) -> Any:
    """Return what a word stands for: a number, a truth, `3/1` for a list, `1:S/2:H` by seat, or the word itself."""
    if ":" in text:
        return {int(seat): suits for seat, suits in (part.split(":") for part in text.split("/"))}
    if "/" in text:
        return [_value(part) for part in text.split("/") if part]
    if text in ("true", "false", "none"):
        return {"true": True, "false": False, "none": None}[text]
    return int(text) if re.fullmatch(r"-?(0|[1-9]\d*)", text) and kind is int else text


def _hands(words: str) -> dict[int, str]:
    if words == "no hands":
        return {}
    return {int(seat): hand for seat, hand in (part.split(": ") for part in words.split(" / "))}


def _go_on(record: Record, steps: list[str]) -> None:
    for step in steps:
        first, _, rest = step.partition(" ")
        if first.isdigit():
            _act(record, int(first), *rest.split())
        else:
            _OF_THE_TABLE[first](record, rest)


def _act(record: Any, seat: int, verb: str, *words: str) -> None:
    if verb in _OF_A_SEAT:
        _OF_A_SEAT[verb](record, seat, *words)
    elif _CARD.fullmatch(verb):
        record.trick(seat, " ".join((verb, *words))) if words else record.played(seat, verb)
    else:
        assert verb in game_named(record.entries[0][1].game).calls, verb
        record.add(BidMade(seat=seat, call=verb, card=words[0] if words else None))


def _win(record: Any, seat: int, call: str) -> None:
    """Add the auction in which this seat alone bids."""
    method = next(name for name in ("contract", "won_by", "bid_won_by") if hasattr(record, name))
    getattr(record, method)(seat, call)


def _exchange(record: Any, seat: int, *words: str) -> None:
    what, _, drawn = " ".join(words).partition(" drawing ")
    record.exchanged(seat, "" if what == "nothing" else _value(what), drawn=drawn or None)


_OF_A_SEAT: dict[str, Callable[..., object]] = {
    "says": lambda record, seat, word: record.said(seat, word),
    "names": lambda record, seat, suit: record.trump(seat, suit),
    "calls": lambda record, seat, card: record.add(PartnerCalled(seat=seat, card=_value(card))),
    "wins": _win,
    "gathers": lambda record, seat: record.gathered(seat),
    "exchanges": _exchange,
    "concedes": lambda record, seat, _for, *seats: record.add(
        Announced(seat=seat, what="concede", seats=tuple(map(int, seats)))
    ),
}


def _fields(words: str) -> dict[str, Any]:
    return {key: _value(text) for key, text in (word.split("=") for word in words.split())}


def _deal(record: Any, words: str) -> None:
    hands, _, stock = words.partition("stock: ")
    if words == "again":
        record.add(next(event for _, event in reversed(record.entries) if isinstance(event, CardsDealt)))
    else:
        record.dealt(_hands(hands.removesuffix(" / ")) if hands else None, stock or None)


def _rule(record: Record, words: str) -> None:
    kind, _, rest = words.partition(" ")
    award, _, of_deal = rest.partition(" of deal ")
    if kind == "award":
        Record.ruled(record, kind, award=Award(**_fields(award)))
    else:
        Record.ruled(record, kind, int(of_deal) if of_deal else None, **_fields(award))


_OF_THE_TABLE: dict[str, Callable[[Any, str], object]] = {
    "start": lambda record, dealer: record.start(int(dealer) if dealer else None),
    "dealt": _deal,
    "turned": lambda record, card: record.turned(card),
    "the": lambda record, words: record.said(None, words.removeprefix("recorder says ")),
    "all": lambda record, _: record.passed_out(),
    "voided": lambda record, _: record.voided(),
    "closed": lambda record, _: record.closed(),
    "result": lambda record, words: Record.result(record, **_fields(words)),
    "sheet": lambda record, words: record.claimed(**_fields(words)),
    "ruled": _rule,
}


class Moment:
    """What a record comes to at one moment, each part computed at most once."""

    def __init__(self, record: Record) -> None:
        self.record = record

    @cached_property
    def findings(self) -> list[Finding]:
        return self.record.findings()

    @cached_property
    def score(self) -> ScoreAnswer:
        return self.record.score()

    @cached_property
    def state(self) -> ReplayAnswer:
        return self.record.state()


def _assert_facts(record: Record, row: dict[str, Any]) -> None:
    expected = {name: value for name, value in row.items() if name not in ("name", "deal", "then")}
    assert expected
    moment = Moment(record)
    actual = {name: _plain(_fact(moment, name, value)) for name, value in expected.items() if name != "found"}
    if "found" in expected:
        patterns = chain(expected["found"], repeat("11.0"))
        actual["found"] = [_in_words(*pair, record.version) for pair in zip(moment.findings, patterns, strict=False)]
    assert actual == expected


def _in_words(finding: Finding, pattern: str, last: int) -> str:
    """Return the finding with the parts that the pattern has; `last` is the version of the last entry."""
    match = _FOUND.fullmatch(pattern)
    assert match, pattern
    words = without_prefix(finding.code)
    if match["rule"]:
        words += f" ({without_prefix(finding.rule)})"
    if match["seat"]:
        words += f" by {'nobody' if finding.seat is None else finding.seat}"
    if match["at"] or (match["seat"] and finding.version != last):
        words += f" at {finding.version}"
    if match["legal"]:
        words += f", legal {'unsaid' if finding.legal is None else ' '.join(finding.legal) or 'nothing'}"
    return words + (f": {finding.message}" if match["message"] else "")


def _plain(value: Any) -> Any:
    """Return the value as a TOML file can hold it."""
    built = to_builtins(value)
    if isinstance(built, dict):
        return {str(key): _plain(one) for key, one in built.items()}
    if isinstance(built, list | tuple):
        return [_plain(one) for one in built]
    return "none" if built is None else built


def _fact(moment: Moment, name: str, expected: Any) -> Any:
    """Return a fact of the findings, of the score, or of the last state, where the state's own fields need no entry.

    - `faults`: the codes of what is more than a note; `offered`, `rule`, `severity`: of the first finding
    - `outcome`: those of its fields that are expected; `first_status`, `first_deltas`: of the first deal
    - `cards`, `words`, `calls`: what may be played, said or called; `numbers`: how many cards may be exchanged
    - `hands`, `held`: the hands of these seats, as they are or sorted; `hand_sizes`
    - `won`, `led`, `laid`, `trick_sizes`: winner, leader and cards of these tricks, or of all
    """
    if name in _OF_THE_FINDINGS:
        return _OF_THE_FINDINGS[name](moment.findings)
    if name in ("status", "deltas"):
        return getattr(moment.score.deals[-1], name)
    if name == "outcome":
        outcome = moment.score.deals[-1].outcome
        return {key: outcome.get(key) for key in expected} if expected else outcome
    if name in _OF_WHAT_IS_LEGAL:
        return moment.state.legal.get(_OF_WHAT_IS_LEGAL[name], [])
    if name in ("hands", "held") and isinstance(expected, dict):
        hands = moment.state.hands
        order: Callable[[list[str]], list[str]] = sorted if name == "held" else list
        return {seat: " ".join(order(hands[int(seat)])) for seat in expected}
    if name == "hand_sizes":
        return [len(hand) for hand in moment.state.hands]
    if name in _OF_THE_TRICKS:
        tricks = moment.state.tricks
        asked = expected if isinstance(expected, dict) else range(len(tricks))
        told = {trick: _OF_THE_TRICKS[name](tricks[int(trick)]) for trick in asked}
        return told if isinstance(expected, dict) else [*told.values()]
    if name in _OF_THE_SCORE:
        return _OF_THE_SCORE[name](moment.score)
    if name in ("carried", "need", "gp", "sides", "draw_mark"):
        carried = moment.record.fold().match.state()
        return carried if name == "carried" else carried[name]
    if name == "winner":
        return moment.state.tricks[0].winner
    if name == "auction":
        return [f"{call.seat} {call.call}" for call in moment.state.auction]
    return getattr(moment.state, name)


_OF_WHAT_IS_LEGAL = {
    "cards": "card_played", "words": "announced", "calls": "bid_made", "numbers": "cards_exchanged",
}  # fmt: skip
_OF_THE_TRICKS: dict[str, Callable[[Any], Any]] = {
    "won": lambda trick: trick.winner,
    "led": lambda trick: trick.leader,
    "laid": lambda trick: " ".join(trick.cards),
    "trick_sizes": lambda trick: len(trick.cards),
}
_OF_THE_FINDINGS: dict[str, Callable[[list[Finding]], Any]] = {
    "rule": lambda found: found[0].rule,
    "severity": lambda found: found[0].severity,
    "offered": lambda found: found[0].legal,
    "faults": lambda found: [without_prefix(one.code) for one in found if one.severity != "info"],
}
_OF_THE_SCORE: dict[str, Callable[[ScoreAnswer], Any]] = {
    "first_status": lambda score: score.deals[0].status,
    "first_deltas": lambda score: score.deals[0].deltas,
    "totals": lambda score: score.totals,
    "over": lambda score: score.match.over,
    "winners": lambda score: score.match.winners,
}
