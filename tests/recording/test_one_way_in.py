"""On its way into the log every event is normalised once, validated once and played once."""

from collections import Counter

import pytest

from ledger.games.ombre.match import OmbreMatch
from ledger.log import MemoryStore
from ledger.recording import importing
from ledger.recording.hand import table as hand_table
from ledger.recording.importing import ImportAs, import_content
from ledger.recording.validator import TableValidator
from tests.hand_records import REPLAYS

OPENS_THE_SESSION = 1
"""The number of the record's events that are not of its table."""


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count how often an event is normalised and validated, and how often a deal is started."""
    counts: Counter[str] = Counter()

    def counted(what: str, owner: object, name: str) -> None:
        original = getattr(owner, name)

        def wrapped(*given: object) -> object:
            counts[what] += 1
            return original(*given)

        monkeypatch.setattr(owner, name, wrapped)

    counted("spelled", importing, "canonical_event")
    counted("spelled", hand_table, "canonical_event")
    counted("checked", TableValidator, "take")
    counted("played", OmbreMatch, "start_deal")
    return counts


SHOWN = 1
"""The extra start of a closed table's last deal, which decides whether its hands are shown."""


def record() -> bytes:
    return (REPLAYS / "session" / "opening-night-1.toml").read_bytes()


def bare() -> bytes:
    """Return the same table as lines of another program."""
    store = MemoryStore()
    import_content(store, record(), "evening.toml", ImportAs(by="me"))
    lines = (b'{"stream":"%b","event":%b}\n' % (row.stream.encode(), row.payload) for row in store.read())
    return b"".join(line for line in lines if b"session/" not in line)


def test_a_hand_record(done: Counter[str]) -> None:
    report = import_content(MemoryStore(), record(), "evening.toml", ImportAs(by="me"))
    of_the_table = report.events - OPENS_THE_SESSION
    assert done == {"spelled": report.events, "checked": of_the_table, "played": report.deals + SHOWN}


def test_lines_of_another_program(done: Counter[str]) -> None:
    lines = bare()
    done.clear()
    report = import_content(MemoryStore(), lines, "evening.ndjson", ImportAs(by="me"))
    assert done == {"spelled": report.events, "checked": report.events, "played": report.deals + SHOWN}


def test_a_table_that_the_ledger_has_already_is_judged_after_it(done: Counter[str]) -> None:
    store = MemoryStore()
    lines = bare().splitlines(keepends=True)
    done.clear()
    import_content(store, b"".join(lines[:60]), "first.ndjson", ImportAs(by="me"))
    report = import_content(store, b"".join(lines[60:]), "second.ndjson", ImportAs(by="me"))
    assert done["spelled"] == len(lines)
    assert report.events == len(lines) - 60
