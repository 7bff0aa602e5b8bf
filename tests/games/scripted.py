"""Cases read from a text file: a deal in words, what the audit finds in it, and what it comes to.

    HANDS = 0: SA S2 / 1: HK HQ

    a card out of turn is valid and the skipped seat is due
      playing, 0 HK, 2 H2 | found 11.33 by 2, legal nothing | turn 1
        1 HJ              | found 11.33 | won 0: 0

    the winner gathers without a finding: playing, 0 HK HJ H2, 0 gathers | found nothing

A line at the margin defines a word in capitals, or names the cases below it or its own. A case is a deal and its facts.
A line indented by four goes on with the same record; one indented by six continues the line above it.

A deal starts with a builder of the test file and its arguments; `with 0: SA S2 / 2: HK` are its hands. Steps follow:
`0 pass`, `0 names S`, `0 calls DK`, `0 says stop`, `the recorder says stop`, `0 HK`, or the cards of a trick from its
leader on. A deal of cards may end with ` / stock: SA` and with the order of the pack, ` / deck: SA S2`. A correction
names its entry (`last-1` is the last but one) and the steps to read instead: `corrected 3 replace 0 SA & 1 S2`.

A fact is a name and a value as `_text` writes it: null is `none`, an empty list `nothing`. `_FACTS` has the names; any
other is a field of the last state: `turn` as it is, `1.turn` as seat 1 sees it, `each.turn` as each seat does.

`found` lists all findings, separated by ` + `. Each is a code, optionally with `(rule)`, its seat or `nobody`, `at` its
version, what was `legal` instead (`unsaid` for null), and `: ` and its message. A finding with a seat is at the last
entry unless it has `at`.
"""

import re
from collections import Counter
from collections.abc import Callable
from copy import copy
from functools import cache
from itertools import chain, repeat
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import pytest
from msgspec import structs, to_builtins

from ledger.events import Announced, Award, BidMade, CardsDealt, DisputeRaised, Noted, PartnerCalled, PlayerSeated
from ledger.games import game_named
from ledger.table.amendments import DirectorCorrections
from ledger.table.answers import Finding
from ledger.table.corrections import as_recorded
from ledger.table.disputes import disputes_of
from ledger.table.fold import TableFold, without_rulings
from ledger.table.revokes import Revoke, revokes_of
from ledger.table.score import score_answer, unscorable_after, why_unscorable
from ledger.table.two_readings import (
    Comparison,
    TwoReadings,
    compared,
    corrected_entries,
    corrected_steps,
    two_readings,
)
from ledger.text.audit import fell_text
from ledger.text.catalogue import wording_for
from ledger.text.deal import side_by_side, won_text
from ledger.text.disputes import disputes_text
from ledger.text.score import unscorable_text
from tests.builders import Record, cards, without_prefix

Builder: TypeAlias = Callable[..., Record]
Ask: TypeAlias = Callable[[str], Any]
"""A part of a record's results: its findings, score, state or fold."""

_CARD = re.compile(r"[SHDC][AKQJT2-9]|\?\?")
_FINDING = re.compile(
    r"(?P<code>\S+?)(?: \((?P<rule>\S+)\))?(?: by (?P<seat>\w+))?(?: at (?P<at>\w+))?(?:, legal (?P<legal>[^:]+))?"
    r"(?:: (?P<message>.*))?"
)


class Case(NamedTuple):
    line: str
    """The file and the number of the line."""
    stages: list[str]
    words: dict[str, str]
    builders: dict[str, Builder]

    def check(self) -> Record:
        """Compare the record's results with the facts, stage by stage, and return the record."""
        record: Record | None = None
        for stage in self.stages:
            deal, *facts = re.split(r"\s+\| ", stage)
            assert facts, f"{self.line} expects nothing"
            steps = re.sub(r"\b[A-Z_]{3,}\b", lambda word: self.words.get(word[0], word[0]), deal).split(", ")
            try:
                record = record or _built(steps.pop(0), self.builders)
                _go_on(record, steps)
                actual = _actual(record, facts)
            except Exception as error:
                error.add_note(f"{self.line}: {deal}")
                raise
            wrong = [f"{seen}, expected {fact}" for seen, fact in zip(actual, facts, strict=True) if seen != fact]
            if wrong:
                pytest.fail("\n    ".join([f"{self.line}: {deal}", *wrong]), pytrace=False)
        assert record is not None
        return record


def cases_of(file: str, *builders: Builder) -> Callable[[Case], None]:
    """Return a test of the cases of a file in `tests/games`, or of another folder as seen from there."""
    cases = read_cases(file, *builders)

    @pytest.mark.parametrize("case", cases.values(), ids=[name.replace(" ", "_") for name in cases])
    def test(case: Case) -> None:
        case.check()

    return test


def read_cases(file: str, *builders: Builder) -> dict[str, Case]:
    """Return the cases of such a file by their names."""
    named = {builder.__name__.lower().replace("_", " "): builder for builder in builders}
    cases: dict[str, Case] = {}
    stages: list[str] = []
    words: dict[str, str] = {}
    numbers: Counter[str] = Counter()
    name = ""
    for number, line in enumerate((Path(__file__).parent / file).read_text("utf-8").splitlines(), 1):
        text = line.strip()
        indent = len(line) - len(line.lstrip())
        if not text or text.startswith("#"):
            continue
        if indent > 4:
            stages[-1] += f" {text}"
        elif indent == 4:
            stages.append(text)
        elif word := re.fullmatch(r"([A-Z_]{3,}) = (.*)", text):
            words[word[1]] = word[2]
        else:
            if indent == 0:
                name, _, text = (part.strip() for part in text.partition(": "))
            if text:
                numbers[name] += 1
                stages = [text]
                key = f"{name} {numbers[name]}" if numbers[name] > 1 else name
                cases[key] = Case(f"{file}:{number}", stages, words, named)
    return cases


def _built(words: str, builders: dict[str, Builder]) -> Record:
    head, _, hands = words.partition(" with ")
    name = max((name for name in builders if f"{head} ".startswith(f"{name} ")), key=len)
    given = head.removeprefix(name).split()
    options = _fields([word for word in given if "=" in word]) | ({"hands": _hands(hands)} if hands else {})
    return builders[name](*(_value(word) for word in given if "=" not in word), **options)


def _value(text: str) -> Any:
    """Return the value of a word: a number, a truth, `3/1` for a list, `1:S/2:H` by seat, or the (quoted) word.

    `1>0:5/2>3:5` are payments: seat 1 pays 5 to seat 0, and seat 2 to seat 3.
    """
    if ">" in text:
        paid = re.findall(r"(\d)>(\d):(-?\d+)", text)
        return [{"from": int(source), "to": int(target), "amount": int(amount)} for source, target, amount in paid]
    if ":" in text:
        return {int(seat): suits for seat, suits in (part.split(":") for part in text.split("/"))}
    if "/" in text:
        return [_value(part) for part in text.split("/") if part]
    if re.fullmatch(r"-?(0|[1-9]\d*)", text):
        return int(text)
    return {"true": True, "false": False, "none": None}.get(text, text.strip('"'))


def _fields(words: list[str]) -> dict[str, Any]:
    return {key: _value(text) for key, text in (word.split("=") for word in words)}


def _hands(words: str) -> dict[int, str]:
    if words == "no hands":
        return {}
    by_seat = (part.split(": ") for part in words.split(" / "))
    return {int(seat): "" if hand == "nothing" else hand for seat, hand in by_seat}


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


def _deal(record: Any, words: str) -> None:
    cards_dealt, _, deck = words.partition("deck: ")
    hands, _, stock = cards_dealt.removesuffix(" / ").partition("stock: ")
    if words == "again":
        record.add(next(event for _, event in reversed(record.entries) if isinstance(event, CardsDealt)))
    else:
        order = {"deck": cards(deck)} if deck else {}
        record.dealt(_hands(hands.removesuffix(" / ")) if hands else None, stock or None, **order)


def _rule(record: Record, words: str) -> None:
    kind, *fields = words.split()
    given = _fields(fields)
    Record.ruled(record, kind, **({"award": Award(**given)} if kind == "award" else given))


def _correct(record: Record, words: str) -> None:
    at, action, *instead = words.split(" ", 2)
    version = record.version + int(at[4:] or 0) if at.startswith("last") else int(at)
    corrected = copy(record)
    corrected.entries, corrected.deals = list(record.entries), record.deals - ("start" in words)
    _go_on(corrected, instead[0].split(" & ") if instead else [])
    record.corrected(version, action, *(event for _, event in corrected.entries[record.version :]))


def _open(record: Record, words: str) -> None:
    opened: Any = record.entries[0][1]
    options = _fields([word for word in words.split() if "=" in word])
    players = tuple(word for word in words.split() if "=" not in word) or opened.players
    record.add(structs.replace(opened, players=players, options=opened.options | options))


def _dispute(record: Record, words: str) -> None:
    seat, _about, version = words.removeprefix("by ").split()
    record.add(DisputeRaised(deal=record.deals, text="no", seat=int(seat), version=int(version)))


_OF_THE_TABLE: dict[str, Callable[[Any, str], object]] = {
    "start": lambda record, dealer: record.start(int(dealer)),
    "dealt": _deal,
    "turned": lambda record, card: record.turned(card),
    "the": lambda record, words: record.said(None, words.removeprefix("recorder says ")),
    "all": lambda record, _: record.passed_out(),
    "voided": lambda record, _: record.voided(),
    "closed": lambda record, _: record.closed(),
    "played": lambda record, _: record.played_out(),
    "result": lambda record, words: Record.result(record, **_fields(words.split())),
    "sheet": lambda record, words: record.claimed(**_fields(words.split())),
    "ruled": _rule,
    "corrected": _correct,
    "opened": _open,
    "disputed": _dispute,
    "seated": lambda record, words: record.add(PlayerSeated(seat=int(words[0]), player=words[2:])),
    "note": lambda record, _: record.add(Noted(text="a glass fell over")),
}


def _versions(versions: tuple[int, ...]) -> str:
    return " ".join(map(str, versions)) or "-"


def _payment(line: Any) -> str:
    rule = f"{without_prefix(line.rule)} " if line.rule else ""
    return f"{rule}{line.source} {line.target} {line.amount} {line.text}"


def _decided(event: Any) -> str:
    if event is None:
        return "-"
    return f"by {event.seat}" if isinstance(event, DisputeRaised) else "/".join(map(str, event.deltas))


def _corrected(decided: Any) -> str:
    return " + ".join(f"{one.version} {one.action} {_decided(one.was)}" for one in decided.corrected_by) or "-"


def _lacking(fold: TableFold, lang: str) -> str | None:
    return unscorable_text(fold, fold.deals[-1], wording_for(fold.game, lang))


def _revokes(fold: TableFold) -> list[Revoke]:
    return revokes_of(fold, fold.deals[-1])


def _written(fold: TableFold) -> TableFold:
    return TableFold(as_recorded(fold.recorded))


def _both(ask: Ask) -> TwoReadings:
    return two_readings("t", ask("fold"), len(_written(ask("fold")).deals))


def _change(ask: Ask) -> Comparison:
    return compared("t", _written(ask("fold")), ask("fold"))


def _sides(entry: Any) -> str:
    """Return the steps of an entry in both readings, each with its card and the rules that it breaks."""
    sides = (entry.recorded, entry.corrected)
    steps = [[f"{one.step} {one.event.card} {'+'.join(one.broke) or '-'}" for one in side] for side in sides]
    return f"{entry.version} {entry.correction} {entry.reason}: {_text(steps)}"


_FACTS: dict[str, Callable[[Ask], Any]] = {
    "severity": lambda ask: ask("findings")[0].severity,
    "status": lambda ask: ask("score").deals[-1].status,
    "deltas": lambda ask: ask("score").deals[-1].deltas,
    "outcome": lambda ask: ask("score").deals[-1].outcome,
    "phases": lambda ask: [ask("machine").view().phase, ask("machine").view(1).phase, ask("machine").status],
    "known": lambda ask: [
        getattr(ask("machine").view(), name) for name in ("turn", "declarer", "contract", "trump", "trick_counts")
    ],
    "first_status": lambda ask: ask("score").deals[0].status,
    "first_deltas": lambda ask: ask("score").deals[0].deltas,
    "first_outcome": lambda ask: ask("score").deals[0].outcome,
    "paid": lambda ask: [without_prefix(line.rule) for line in ask("score").deals[-1].lines],
    "payments": lambda ask: [_payment(line) for line in ask("score").deals[-1].lines if line.text != "the ante"],
    "antes": lambda ask: [_payment(line) for line in ask("score").deals[-1].lines if line.text == "the ante"],
    "untold": lambda ask: [
        text for lang in ("en", "ja") for text in why_unscorable(ask("fold"), ask("fold").deals[0], lang).untold
    ],
    "lacking": lambda ask: _lacking(ask("fold"), "en"),
    "lacking_ja": lambda ask: _lacking(ask("fold"), "ja"),
    "missing": lambda ask: unscorable_after(ask("fold"), []),
    "revokes": lambda ask: [
        f"{one.trick} {one.established or '-'} {one.established_by or '-'}" for one in _revokes(ask("fold"))
    ],
    "withheld": lambda ask: [
        f"{card.card} {card.would_win} {card.trick or '-'} {card.version or '-'}"
        for one in _revokes(ask("fold"))
        for card in one.withheld
    ],
    "withheld_said": lambda ask: [fell_text(one, "en") for one in _revokes(ask("fold"))[0].withheld],
    "in_force": lambda ask: [ruling.in_force for ruling in ask("score").deals[-1].rulings],
    "overruled_by": lambda ask: [ruling.overruled_by for ruling in ask("score").deals[-1].rulings],
    "stale": lambda ask: [_versions(ruling.stale) for deal in ask("score").deals for ruling in deal.rulings],
    "stale_sheets": lambda ask: [_versions(deal.claimed.stale) for deal in ask("score").deals if deal.claimed],
    "marked": lambda ask: [_corrected(ruling) for ruling in ask("score").deals[-1].rulings],
    "struck": lambda ask: [
        f"{one.version} {_decided(one.event)}: {_corrected(one)}" for one in ask("score").deals[-1].struck
    ],
    "disputes_marked": lambda ask: [f"by {one.seat}: {_corrected(one)}" for one in disputes_of(ask("fold"))],
    "disputes_struck": lambda ask: [[struck.version for struck in one.struck] for one in disputes_of(ask("fold"))],
    "disputed": lambda ask: [
        f"{one.version} {one.deal} {one.seat} {one.player} {one.about} {one.text}" for one in disputes_of(ask("fold"))
    ],
    "disputes_said": lambda ask: list(disputes_text("t", disputes_of(ask("fold")), ask("fold"), None, "en")),
    "directed": lambda ask: [
        [one.version for one in DirectorCorrections(ask("fold")).corrections(deal.number)] for deal in ask("fold").deals
    ],
    "as_written": lambda ask: [
        f"{_corrected(ruling)} stale {_versions(ruling.stale)} struck {_text([one.version for one in deal.struck])}"
        for deal in score_answer("t", _written(ask("fold"))).deals
        for ruling in deal.rulings
    ],
    "written_codes": lambda ask: [without_prefix(one.code) for one in _written(ask("fold")).deals[-1].violations],
    "read_otherwise": lambda ask: [_sides(one) for one in _both(ask).entries if one.recorded != one.corrected],
    "score_said": lambda ask: " ".join(list(side_by_side(_both(ask), ask("fold"), "en"))[-2].split()),
    "both_totals": lambda ask: [_both(ask).totals_recorded, _both(ask).totals_corrected],
    "both_deltas": lambda ask: [one and one.deltas for one in (_both(ask).score_recorded, _both(ask).score_corrected)],
    "both_rulings": lambda ask: [
        [f"{ruling.version} {ruling.kind}" for ruling in one.rulings] if one else None
        for one in (_both(ask).score_recorded, _both(ask).score_corrected)
    ],
    "corrected_steps": lambda ask: [
        f"{step} {event.card}" for step, event in corrected_steps(ask("fold"), ask("fold").deals[-1]).items()
    ],
    "corrected_entries": lambda ask: [
        f"{seen.written.card} {' '.join(event.card for event in seen.read)} {seen.reason}"
        for seen in corrected_entries(ask("fold"), ask("fold").deals[-1])
    ],
    "changed": lambda ask: [deal.deal for deal in _change(ask).deals],
    "changed_totals": lambda ask: [_change(ask).totals_before, _change(ask).totals_after],
    "gone": lambda ask: [without_prefix(one.code) for deal in _change(ask).deals for one in deal.gone],
    "new": lambda ask: [without_prefix(one.code) for deal in _change(ask).deals for one in deal.new],
    "totals_by_rules": lambda ask: without_rulings(ask("fold")).match.totals,
    "rulings": lambda ask: [f"{deal.deal} {_decided(one)}" for deal in ask("score").deals for one in deal.rulings],
    "pool_before": lambda ask: ask("score").deals[-1].pool_before,
    "players": lambda ask: ask("score").players,
    "disputes": lambda ask: [f"{one.state} {_versions(one.rulings)}" for one in disputes_of(ask("fold"))],
    "stale_disputes": lambda ask: [_versions(one.stale) for one in disputes_of(ask("fold"))],
    "totals": lambda ask: ask("score").totals,
    "pool": lambda ask: ask("score").state["pool"],
    "closing": lambda ask: ask("score").closing and ask("score").closing.deltas,
    "over": lambda ask: ask("score").match.over,
    "winners": lambda ask: ask("score").match.winners,
    "carried": lambda ask: ask("fold").match.state(),
    "next_dealer": lambda ask: ask("fold").match.expected_dealer(),
    "need": lambda ask: ask("fold").match.state()["need"],
    "cards": lambda ask: ask("state").legal.get("card_played", []),
    "words": lambda ask: ask("state").legal.get("announced", []),
    "calls": lambda ask: ask("state").legal.get("bid_made", []),
    "auction": lambda ask: [f"{call.seat} {call.call}" for call in ask("state").auction],
    "held": lambda ask: [sorted(hand) for hand in ask("state").hands],
    "led": lambda ask: [trick.leader for trick in ask("state").tricks],
    "laid": lambda ask: [trick.cards for trick in ask("state").tricks],
    "won": lambda ask: [trick.winner for trick in ask("state").tricks],
    "won_by": lambda ask: [trick.won_by for trick in ask("state").tricks],
    "won_said": lambda ask: [won_text(trick, "012", "en") for trick in ask("state").tricks],
}
_IN_PART = {"outcome", "first_outcome", "hands", "held", "led", "laid", "won"}
"""Facts of which a case may give only some keys."""


def _actual(record: Record, expected: list[str]) -> list[str]:
    """Return the actual facts, each written in the way of the expected one."""
    ask = cache(lambda part: getattr(record, part)())
    facts = []
    for name, _, text in (fact.partition(" ") for fact in expected):
        if name == "found":
            patterns = chain(text.split(" + "), repeat("11.0"))
            findings = [_finding(*pair, record.version) for pair in zip(ask("findings"), patterns, strict=False)]
            facts.append(f"found {' + '.join(findings) or 'nothing'}")
            continue
        value = to_builtins(_FACTS[name](ask) if name in _FACTS else _field(record, name))
        keys = re.findall(r"(\w+): ", text) if name in _IN_PART else []
        if keys:
            value = {key: value.get(key) if isinstance(value, dict) else value[int(key)] for key in keys}
        facts.append(f"{name} {_text(value)}")
    return facts


def _field(record: Record, name: str) -> Any:
    """Return a field of the last state, as it is or as the seat named before it sees it."""
    seen_by, _, field = name.rpartition(".")
    if seen_by == "each":
        return [_field(record, f"{seat}.{field}") for seat in range(record.players)]
    return getattr(record.state(seat=int(seen_by) if seen_by else None), field)


def _finding(finding: Finding, pattern: str, last: int) -> str:
    """Return the finding with the parts that the pattern has; `last`: the version of the last entry."""
    match = _FINDING.fullmatch(pattern)
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


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return " / ".join(f"{key}: {_text(one)}" for key, one in value.items()) or "nothing"
    if isinstance(value, list | tuple):
        parts = [_text(one) for one in value]
        apart = ", " if any(isinstance(one, list | tuple) or " " in str(one) for one in value) else " "
        return apart.join(parts) or "nothing"
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)
