"""Disputes, rulings and sessions, as directors enter them."""

import json
import tomllib
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ledger
from ledger.errors import LedgerError, MalformedError, NotFoundError
from ledger.events import Award, DisputeRaised, RulingGiven
from ledger.log.memory import MemoryStore
from ledger.recording.directing import dispute, parse_amounts, parse_award, parse_seat, ruling
from ledger.recording.importing import ImportAs, import_content
from tests.builders import NAMES
from tests.games.kop.tables import ordinary
from tests.games.ombre.tables import Record, with_winners
from tests.recording.refused import not_japanese

PLAYERS = NAMES[:3]


def record() -> Record:
    return with_winners("000101220")


def given_ruling(made: Record, kind: str = "stands", **fields: Any) -> RulingGiven:
    return ruling(made.fold(), 1, kind, "so ruled", **fields)  # type: ignore[arg-type]


DATA = tomllib.loads(Path(__file__).with_name("directing.toml").read_text(encoding="utf-8"))
READING: dict[str, Any] = {
    "amounts": lambda text: parse_amounts(PLAYERS, text),
    "award": lambda text: given_ruling(record(), "award", award=text),
    "adjustment": lambda text: given_ruling(record(), "adjust", deltas=text, pool=None),
    "adjustment_with_3_for_the_pool": lambda text: given_ruling(record(), "adjust", deltas=text, pool=3),
    "adjustment_of_no_pool": lambda text: ruling(ordinary().fold(), 1, "adjust", "so ruled", deltas=text),
    "appeal_and_deal": lambda text: dispute(record().ruled("stands").fold(), int(text), "no", appeals=38),
    "deal": lambda text: dispute(record().fold(), None, text),
    "rule": lambda text: given_ruling(record(), rule=text),
    "ruling": lambda text: ruling(record().fold(), 1, "stands", text),
    "dispute": lambda text: dispute(record().fold(), 1, text),
    "step": lambda text: dispute(record().fold(), 1, "no", step=int(text)),
}
REFUSED = [(kind, text, message) for kind, rows in DATA["refused"].items() for text, message in rows.items()]


def test_amounts_go_by_seat_or_by_name() -> None:
    assert {text: list(parse_amounts(PLAYERS, text)) for text in DATA["amounts"]} == DATA["amounts"]


@pytest.mark.parametrize(("kind", "text", "message"), REFUSED)
def test_what_cannot_be_read_is_refused(kind: str, text: str, message: str) -> None:
    with pytest.raises(NotFoundError if kind in ("rule", "step") else MalformedError, match=message) as refused:
        READING[kind](text)
    assert isinstance(refused.value, NotFoundError) or not_japanese(refused.value) == []


@given(st.text("0123456789+-−=:,; BelindaSrPm", max_size=40) | st.text(max_size=20))
def test_any_amounts_are_read_or_refused(text: str) -> None:
    with suppress(LedgerError):
        assert len(parse_amounts(PLAYERS, text)) == 3


def test_a_player_whose_name_is_a_number_is_meant_by_it() -> None:
    assert parse_seat(("1", "0", "two"), "0") == 1


def test_the_pool_takes_what_the_players_pay() -> None:
    assert given_ruling(record(), "adjust", deltas="Belinda -5", pool=5).pool == 5


def test_a_rule_is_named_by_its_id_or_its_number() -> None:
    assert given_ruling(record(), rule="6.5").rule == given_ruling(record(), rule="omb-6.5").rule == "OMB-6.5"


def test_a_dispute_must_have_been_raised_about_this_deal() -> None:
    made = record().add(DisputeRaised(deal=1, text="no"))
    raised = made.version
    assert given_ruling(made, dispute=raised).dispute == raised
    with pytest.raises(NotFoundError, match=f"entry 2 is not a dispute; the disputes of this table are {raised}"):
        given_ruling(made, dispute=2)
    made.start().result()
    with pytest.raises(MalformedError, match="a dispute about another deal"):
        ruling(made.fold(), 2, "stands", "so ruled", dispute=raised)


def test_an_award_is_given_by_its_fields() -> None:
    assert parse_award("winner=0, strength=2 circle=true") == {"winner": 0, "strength": 2, "circle": True}
    assert given_ruling(record(), "award", award="winner=1,v=2").award == Award(winner=1, v=2)


def test_a_dispute_names_its_player_and_the_entry() -> None:
    made = record()
    raised = dispute(made.fold(), 1, "no", player="baron", step=11)
    assert (raised.seat, raised.version) == (1, 12)
    assert made.fold().entries[11][0] == 12
    assert dispute(made.fold(), 1, "no", player=2, version=5) == DisputeRaised(deal=1, text="no", seat=2, version=5)


OPENED = {"type": "session_opened", "title": "Friday", "date": "2026-01-30"}
CLOSED = {"type": "session_closed"}
UNCLOSED = {"type": "corrected", "version": 2, "action": "strike", "reason": "too early"}
ME = ledger.Recording(by="Ann")


def imported(store: MemoryStore, *events: dict[str, Any], stream: str = "session/friday") -> None:
    lines = b"\n".join(json.dumps({"stream": stream, "event": event}).encode() for event in events)
    import_content(store, lines, "file", ImportAs(by="test"))


def friday() -> MemoryStore:
    store = MemoryStore()
    ledger.open_session(store, "friday", title="Friday", date=date(2026, 1, 30), recording=ME)
    return store


def test_an_import_closes_a_session_again_that_was_reopened() -> None:
    store = MemoryStore()
    imported(store, OPENED, CLOSED, UNCLOSED, CLOSED)
    with pytest.raises(MalformedError, match="the session is already closed"):
        imported(store, CLOSED)


def test_an_import_finds_a_session_closed_where_the_closing_is_put_back() -> None:
    store = MemoryStore()
    restored = {"type": "corrected", "version": 2, "action": "replace", "reason": "it was", "events": [CLOSED]}
    with pytest.raises(MalformedError, match="the session is already closed"):
        imported(store, OPENED, CLOSED, UNCLOSED, restored, CLOSED)


def test_a_day_may_be_a_date_or_a_text() -> None:
    store = friday()
    added = ledger.amend_session(store, "friday", date="2026-01-31", reason="after midnight", recording=ME)
    assert added.before is not None and (added.before.date, added.after.date) == ("2026-01-30", "2026-01-31")
    with pytest.raises(MalformedError, match="no such day: '2026-02-30'; expected 2026-02-01 to"):
        ledger.amend_session(store, "friday", date="2026-02-30", reason="x", recording=ME)


def test_a_session_is_named_by_slug_or_stream() -> None:
    store = friday()
    assert ledger.close_session(store, "session/friday", recording=ME).session == "friday"
    with pytest.raises(NotFoundError, match="there is no session monday; the ledger has friday"):
        ledger.close_session(store, "monday", recording=ME)
    with pytest.raises(NotFoundError, match="the ledger has no sessions yet"):
        ledger.close_session(MemoryStore(), "monday", recording=ME)
