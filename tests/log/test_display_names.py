"""A display name can be erased from every byte on disk, while the record stays unchanged."""

import sqlite3
from contextlib import closing
from itertools import permutations
from pathlib import Path

import pytest

from ledger.errors import ConflictError
from ledger.log import SqliteStore, open_store, people
from ledger.log.backup import back_up
from ledger.log.verify import verify
from tests.contracts.log_builders import RECORDER, batch, play
from tests.log.damages import described

SECRET = "Wisława Szymborska"


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    path = tmp_path / "club.ledger"
    with SqliteStore.create(path) as store:
        store.append(batch(*[play()] * 100), recorded_by=RECORDER)
    return path


def display_names(ledger: Path) -> dict[str, str]:
    with open_store(ledger, access="allowed") as store:
        return store.display_names()


def set_display_name(ledger: Path, player: str, name: str | None) -> None:
    """Set the display name of a player; `None` erases it."""
    with open_store(ledger) as store:
        store.erase_display_name(player) if name is None else store.set_display_name(player, name)


def bytes_on_disk(ledger: Path) -> bytes:
    """Return the bytes of the ledger's file and of all files beside it."""
    return b"".join(path.read_bytes() for path in sorted(ledger.parent.iterdir()))


def test_a_name_stays_in_the_file_until_it_is_erased_from_every_byte(ledger: Path) -> None:
    before = verify(ledger)
    set_display_name(ledger, "p17", SECRET)
    assert display_names(ledger) == {"p17": SECRET}
    assert SECRET.encode() in bytes_on_disk(ledger)
    assert verify(ledger) == before
    set_display_name(ledger, "p17", None)
    assert display_names(ledger) == {}
    assert SECRET.encode() not in bytes_on_disk(ledger)
    assert b"p17" not in bytes_on_disk(ledger)
    assert verify(ledger) == before


def test_a_name_is_erased_while_others_have_the_ledger_open_and_record(ledger: Path) -> None:
    with SqliteStore(ledger) as store:
        set_display_name(ledger, "p17", SECRET)
        store.append(batch(play()), recorded_by=RECORDER)
        assert store.display_names() == {"p17": SECRET}
        set_display_name(ledger, "p17", None)
        store.append(batch(play()), recorded_by=RECORDER)
        assert store.display_names() == {}
        assert SECRET.encode() not in bytes_on_disk(ledger)
        assert store.head().position == 102
    assert verify(ledger).damage is None


def test_names_that_are_replaced_or_erased_are_in_no_byte_wherever_they_stood(ledger: Path) -> None:
    """Enough names for a tree of several pages, some with overflow pages, and changes that move them."""
    names = {f"p{number}": f"{SECRET} {number} " + "x" * (3 * number) for number in range(60)}
    for player, name in names.items():
        set_display_name(ledger, player, name)
    for number in range(0, 60, 3):
        set_display_name(ledger, f"p{number}", f"another {number} " + "y" * (179 - 2 * number))
    for number in range(1, 60, 3):
        set_display_name(ledger, f"p{number}", None)
    content = bytes_on_disk(ledger)
    assert {number for number in range(60) if f"{SECRET} {number} ".encode() in content} == set(range(2, 60, 3))
    assert verify(ledger).damage is None


def test_a_link_and_a_hidden_player_leave_no_byte_once_they_are_taken_back(ledger: Path) -> None:
    before = verify(ledger)
    with open_store(ledger) as store:
        store.link_player("p17", SECRET)
        store.hide_player("p18")
        assert verify(ledger) == before
        assert all(name.encode() in bytes_on_disk(ledger) for name in ("p17", SECRET, "p18"))
        store.unlink_player("p17")
        store.show_player("p18")
    assert not any(name.encode() in bytes_on_disk(ledger) for name in ("p17", SECRET, "p18"))
    assert verify(ledger) == before


def test_a_handle_that_another_player_has_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(("p-22222222", "p-22222222", "p-33333333"))
    monkeypatch.setattr(people, "new_handle", lambda: next(drawn))
    made = people.with_new_names(people.People(), ("Ann", "Ben"))
    assert made.names == {"p-22222222": "Ann", "p-33333333": "Ben"}


def test_a_backup_keeps_the_names_of_its_time(ledger: Path) -> None:
    set_display_name(ledger, "p17", SECRET)
    backup = back_up(ledger, ledger.with_name("backup.ledger")).path
    set_display_name(ledger, "p17", None)
    assert display_names(backup) == {"p17": SECRET}
    assert verify(backup) == verify(ledger)


def test_nothing_is_changed_while_somebody_reads_an_old_state(ledger: Path) -> None:
    set_display_name(ledger, "p17", SECRET)
    with (
        SqliteStore(ledger, lock_timeout_s=0.05) as store,
        closing(sqlite3.connect(ledger, isolation_level=None)) as reader,
    ):
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM display_names").fetchall()
        store.append(batch(play()), recorded_by=RECORDER)
        with pytest.raises(ConflictError, match="is in use; nothing was changed; try again"):
            store.erase_display_name("p17")
        assert store.display_names() == {"p17": SECRET}
        reader.execute("COMMIT")
        store.erase_display_name("p17")
        assert SECRET.encode() not in bytes_on_disk(ledger)


def test_a_store_opened_to_read_shows_names_and_changes_none(ledger: Path) -> None:
    set_display_name(ledger, "p17", SECRET)
    with open_store(ledger, access="read") as store:
        for change in (lambda: store.set_display_name("p18", "Ann"), lambda: store.erase_display_name("p17")):
            with pytest.raises(ConflictError, match="is read-only"):
                change()
        assert store.display_names() == {"p17": SECRET}


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_names_links_and_hidden_players_may_change_in_any_order(ledger: Path, order: tuple[int, ...]) -> None:
    before = verify(ledger)
    for number in range(2):
        with open_store(ledger) as store:
            changes = (
                lambda: store.set_display_name(f"a{number}", f"{SECRET} {number}"),  # noqa: B023
                lambda: store.link_player(f"b{number}", f"c{number}"),  # noqa: B023
                lambda: store.hide_player(f"d{number}"),  # noqa: B023
            )
            for place in order:
                changes[place]()
                assert verify(ledger) == before


@pytest.mark.parametrize("table", ["display_names", "player_links", "hidden_players"])
def test_verify_knows_the_table_and_notices_when_it_was_altered(ledger: Path, table: str) -> None:
    with closing(sqlite3.connect(ledger)) as connection:
        connection.execute(f"CREATE TABLE {table} (player TEXT, name TEXT)")
    assert described(verify(ledger).damage) == (None, f"the table {table} was altered")
