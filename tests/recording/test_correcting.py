"""Corrections: the entry that is meant, the events read afterwards, and events in words."""

import re
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger import events as ev
from ledger.errors import LedgerError, MalformedError, NotFoundError
from ledger.recording.correcting import EntryReference, correction
from ledger.recording.event_text import events_from_text, hand_words
from ledger.table.corrections import Entry
from ledger.table.fold import TableFold
from tests.contracts.scripts import scripts
from tests.covering import examples
from tests.games.ombre.tables import Record, in_play
from tests.hand_records import REPLAYS, record_in, table_events
from tests.recording.refused import not_japanese

BELINDA, BARON, PLUME = range(3)


def record() -> Record:
    """Return a deal at its first trick: Belinda leads HK, the Baron HQ, Sir Plume H2."""
    made = in_play("S", {0: "HK SA", 1: "HQ DK", 2: "H2 D2"}, avoid={1: "H", 2: "H"})
    return made.played(0, "HK").played(1, "HQ").played(2, "H2")


def corrected(made: Record, action: str, content: object = None, **named: int) -> Record:
    """Return the record with this correction, made from its fold."""
    fold = made.fold()
    event = correction(fold, EntryReference(**named).place(fold), action, content, "misread")  # type: ignore[arg-type]
    return made.add(event)


def last(made: Record) -> ev.Corrected:
    event = made.entries[-1][1]
    assert isinstance(event, ev.Corrected)
    return event


def read(made: Record) -> list[Entry]:
    return list(made.fold().entries)


def plays(made: Record) -> list[str]:
    return [event.card for _, event in read(made) if isinstance(event, ev.CardPlayed)]


def step_of(made: Record, card: str) -> int:
    steps = [event for _, event in read(made) if not isinstance(event, ev.Noted)][1:]
    return next(step for step, event in enumerate(steps, 1) if getattr(event, "card", None) == card)


SCRIPTS = scripts(Path(__file__).with_name("corrections.txt"))
_STEP = re.compile(r"(?P<action>\w+)(?: at (?P<at>\S+))?(?: (?P<content>[^=!]+))?(?: (?P<sign>[=!]) (?P<answer>.*))?")


@pytest.mark.parametrize("title", SCRIPTS)
def test_corrections_one_after_the_other(title: str) -> None:
    made = record()
    start = made.version
    for step in SCRIPTS[title]:
        match = _STEP.fullmatch(step)
        assert match, step
        action, content = match["action"], match["content"]
        place = named(made, start, match["at"]) if match["at"] else {}
        if match["sign"] == "!":
            kind, message = match["answer"].split(": ", 1)
            with pytest.raises(REFUSALS[kind], match=message) as refused:
                corrected(made, action, content, **place)
            assert isinstance(refused.value, NotFoundError) or not_japanese(refused.value) == []
        else:
            corrected(made, action, content, **place)
            assert match["answer"] is None or plays(made) == match["answer"].split(), step


REFUSALS = {"malformed": MalformedError, "not found": NotFoundError}


def named(made: Record, start: int, at: str) -> dict[str, int]:
    """Return the entry as a command names it: `1.HQ` by deal and step, `last-1` by a version of the first record."""
    if at.startswith("last"):
        return {"version": start + int(at[4:] or 0)}
    if at == "correction":
        return {"version": made.version}
    deal, _, step = at.rpartition(".")
    return (
        {"deal": int(deal), "step": int(step) if step.isdigit() else step_of(made, step)}
        if deal
        else {"version": int(at)}
    )


EDITS = st.lists(
    st.tuples(st.sampled_from(("replace", "strike", "insert_after")), st.integers(0, 60), st.sampled_from("23456")),
    max_size=8,
)


@given(EDITS)
def test_any_corrections_by_step_leave_exactly_the_edited_list(edits: list[tuple[str, int, str]]) -> None:
    made = record()
    first = next(version for version, event in made.entries if isinstance(event, ev.CardPlayed))
    model = read(made)
    for action, number, rank in edits:
        places = [place for place, (version, _) in enumerate(model) if version >= first]
        if not places:
            break
        place = places[number % len(places)]
        version, old = model[place]
        new = (version, ev.CardPlayed(seat=0, card=f"D{rank}"))
        edited = [*model[:place], *{"replace": [new], "strike": [], "insert_after": [(version, old), new]}[action]]
        edited += model[place + 1 :]
        if edited == model:
            continue
        step = sum(1 for _, event in model[: place + 1] if not isinstance(event, ev.Noted)) - 1
        corrected(made, action, None if action == "strike" else [new[1]], deal=1, step=step)
        model = edited
        assert read(made) == model


ROWS = tomllib.loads(Path(__file__).with_name("corrections.toml").read_text(encoding="utf-8"))
REFUSED = ROWS.pop("refused")
RECORDS: dict[str, Callable[[], Record]] = {
    "played": record,
    "dealt": lambda: Record().start(PLUME).dealt(),
    "called": lambda: Record().start(PLUME).dealt().calls("0 entrada"),
    "gathered": lambda: record().gathered(BARON),
    "noted and voided": lambda: record().add(ev.Noted(text="a", seat=1)).voided("b"),
    "last card struck": lambda: corrected(record(), "strike"),
}


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_words_stand_for_these_events(row: dict[str, Any]) -> None:
    for typed in row["content"]:
        made = RECORDS[row.get("record", "played")]()
        corrected(made, row.get("action", "replace"), typed, version=place_of(made, row["at"]))
        assert [ev.encode_event(event).decode() for event in last(made).events or ()] == row["events"], typed


def place_of(made: Record, at: str | int) -> int:
    if isinstance(at, int):
        return made.version + at
    return next(version for version, event in made.entries if event.__struct_config__.tag == at)


def test_one_hand_as_dealt_is_replaced_and_the_others_stay() -> None:
    made = record()
    place = place_of(made, "cards_dealt")
    before = made.entries[place - 1][1]
    (after,) = last(corrected(made, "replace", "Baron: SA S2 H3 / stock: ?? ??", version=place)).events or ()
    assert isinstance(before, ev.CardsDealt) and isinstance(after, ev.CardsDealt)
    assert after.hands == (before.hands[0], ("SA", "S2", "H3"), before.hands[2])
    assert after.stock == ("??", "??")


@pytest.mark.parametrize(("content", "message"), REFUSED.items())
def test_words_that_cannot_be_read_are_refused(content: str, message: str) -> None:
    with pytest.raises(MalformedError, match=message) as refused:
        corrected(record(), "replace", content)
    assert not_japanese(refused.value) == []


@pytest.mark.parametrize("reason", ["", "  "])
def test_a_correction_needs_a_reason(reason: str) -> None:
    fold = record().fold()
    with pytest.raises(MalformedError, match="a correction without a reason") as refused:
        correction(fold, EntryReference().place(fold), "strike", None, reason)
    assert not_japanese(refused.value) == []


def test_events_without_words_are_given_as_json() -> None:
    made = Record().start(2).result()
    with pytest.raises(MalformedError, match=r"result_recorded cannot be written in words.*its event as JSON") as one:
        corrected(made, "replace", "5 2 2")
    with pytest.raises(MalformedError, match="table_opened before the first deal cannot be written in words") as other:
        corrected(made, "replace", "kop", version=1)
    assert not_japanese(one.value) == not_japanese(other.value) == []


@examples(8)
@given(st.text(max_size=60) | st.text('SHDC:>/ {}[]"AKQ2B', max_size=30), st.integers(1, 20), st.booleans())
def test_any_words_at_any_entry_are_read_or_refused(content: str, version: int, is_put_in: bool) -> None:
    made = record()
    try:
        corrected(made, "insert_after" if is_put_in else "replace", content, version=min(version, made.version))
    except LedgerError:
        return
    assert made.fold().deals


PLAYERS = ("Ann", "Ben", "Cleo", "Dan")
SAID = tomllib.loads(Path(__file__).with_name("event_text.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("event", "words"), SAID.items())
def test_an_event_is_said_as_it_would_be_typed(event: str, words: str) -> None:
    assert hand_words(ev.decode_event(event.encode()), PLAYERS) == words


def words_for(event: ev.Event, players: Sequence[str]) -> str | None:
    """Return the words of a hand record for an action, without a name; None if it has none."""
    is_said_by_one = not isinstance(event, ev.Announced) or (event.seats is None and event.seat is not None)
    if type(event) not in ev.GAME_ACTION_TYPES - {ev.CardsDealt} or not is_said_by_one:
        return None
    return re.sub(r'^\w+ = "|"$', "", hand_words(event, players)).rpartition(": ")[2]


@pytest.mark.parametrize("path", [
    *("ombre/revoke.toml", "ombre/11a-surrender-in-vuelta.toml", "couillon/36-match-six32-upcard-bars.toml"),
    *("quadrille/06-partner-reveals-himself-and-stop.toml", "quadrille/match-of-four-deals.toml"),
    *("kop/09-wesele-cancels-kontra.toml", "kop/20-kontra-on-the-own-wesele.toml"),
])  # fmt: skip
def test_every_action_of_a_recorded_game_is_understood_in_its_own_words(path: str) -> None:
    events = table_events(record_in(REPLAYS / path))
    fold = TableFold(list(enumerate(events, 1)))
    phrased = [(index, event, words_for(event, fold.players)) for index, event in enumerate(events[:120])]
    phrased = [one for one in phrased if one[2] is not None]
    assert len(phrased) > 5
    for index, event, words in phrased:
        assert events_from_text(fold, index, event, words) == (event,)
