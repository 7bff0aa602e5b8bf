"""The contract of every log store for display names, linked spellings and hidden people."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from random import Random

import pytest

from ledger import limits
from ledger.errors import LedgerError, MalformedError
from ledger.log import LogStore
from ledger.log.people import People
from tests.contracts.log_builders import RECORDER, batch, play
from tests.contracts.log_store import LogStoreContract
from tests.contracts.scripts import scripts
from tests.japanese import assert_speaks_japanese

PLAYERS = tuple("ABCDEF")
DOINGS = ("link_player", "unlink_player", "hide_player", "show_player")
SCRIPTS = scripts(Path(__file__).with_name("people.txt"))
STEPS = {
    "name": "set_display_name", "erase": "erase_display_name",
    "link": "link_player", "unlink": "unlink_player", "hide": "hide_player", "show": "show_player",
}  # fmt: skip
FACTS: dict[str, Callable[[LogStore], Mapping[str, str] | Iterable[str]]] = {
    "names": lambda store: store.display_names(),
    "links": lambda store: store.people().links,
    "persons": lambda store: store.people().persons(),
    "hidden": lambda store: store.people().hidden,
    "hidden persons": lambda store: store.people().hidden_persons(),
}


def changes(store: LogStore, step: str) -> None:
    """Apply a step, or check that it is rejected, changes nothing and is not counted."""
    change, _, refusal = step.partition(" ! ")
    name, *words = change.split()
    before, version = store.people(), store.names_version()
    if refusal:
        with pytest.raises(LedgerError) as refused:
            getattr(store, STEPS[name])(*words)
        said = str(refused.value)
        assert said == refusal.removeprefix("= ") if refusal.startswith("= ") else refusal in said
        assert (store.people(), store.names_version()) == (before, version)
    else:
        getattr(store, STEPS[name])(*words)


class PeopleContract(LogStoreContract):
    """People are stored outside of the log, and all of it can be undone."""

    @pytest.mark.parametrize("title", SCRIPTS)
    def test_people(self, store: LogStore, title: str) -> None:
        store.append(batch(play()), recorded_by=RECORDER)
        log, versions = (store.head(), list(store.read())), [store.names_version()]
        for step in SCRIPTS[title]:
            fact, colon, expected = step.partition(":")
            if colon and fact in FACTS:
                value = FACTS[fact](store)
                listed = [f"{player}={name}" for player, name in value.items()] if isinstance(value, Mapping) else value
                assert sorted(listed) == expected.split()
            else:
                changes(store, step)
                versions += [] if " ! " in step else [store.names_version()]
        assert (store.head(), list(store.read())) == log
        store.append(batch(play("SK")), recorded_by=RECORDER)
        assert store.names_version() == versions[-1]
        assert len(set(versions)) == len(versions), "each change is counted"

    def test_a_person_has_all_linked_spellings(self, store: LogStore) -> None:
        store.link_player("Ann", "Anna")
        store.link_player("Ani", "Anna")
        assert store.people().spellings("Ann") == {"Ani", "Ann", "Anna"}
        assert store.people().spellings("Ben") == {"Ben"}

    @pytest.mark.parametrize("name", ["", " ", "\u200b", "a\nb", "\x00", "\ud800", "x" * (limits.NAME_CHARS + 1)])
    def test_invalid_names_are_rejected(self, store: LogStore, name: str) -> None:
        with pytest.raises(MalformedError) as refused:
            store.set_display_name("p17", name)
        assert_speaks_japanese(refused.value)
        assert store.display_names() == {}

    def test_a_name_of_the_greatest_length_is_stored_as_nfc(self, store: LogStore) -> None:
        store.set_display_name("p17", "Zoe\u0308" + "x" * (limits.NAME_CHARS - 4))
        assert store.display_names()["p17"].startswith("Zoëx")

    def test_changing_an_answer_does_not_change_the_store(self, store: LogStore) -> None:
        store.display_names()["p17"] = "Ann"
        assert store.display_names() == {}

    def test_a_closed_ledger_knows_nobody_and_takes_nothing(self, store: LogStore) -> None:
        for step in ("name Ann Annabel", "link Ann Anna"):
            changes(store, step)
        store.close()
        for use in (store.display_names, store.people):
            with pytest.raises(LedgerError):
                use()
        for name, words in {
            **{step: ["Ann"] for step in STEPS},
            "name": ["Ben", "B."],
            "link": ["Ben", "Anna"],
        }.items():
            with pytest.raises(LedgerError):
                getattr(store, STEPS[name])(*words)

    @pytest.mark.parametrize("seed", range(4))
    def test_every_step_can_be_undone(self, store: LogStore, seed: int) -> None:
        chance = Random(seed)
        done = [(chance.choice(DOINGS), chance.choice(PLAYERS), chance.choice(PLAYERS)) for _ in range(12)]
        before = _emptied(store)
        for doing, player, other in done:
            was = store.people()
            try:
                getattr(store, doing)(player, *([other] if doing == "link_player" else []))
            except LedgerError:
                assert store.people() == was
                continue
            if doing == "link_player":
                after = store.people()
                store.unlink_player(player)
                assert store.people() == was
                store.link_player(player, other)
                assert store.people() == after
            persons = store.people().persons()
            assert all(person not in persons for person in persons.values())
        assert _emptied(store) == before


def _emptied(store: LogStore) -> People:
    """Undo every link and show every hidden person; return what is left."""
    for spelling in store.people().links:
        store.unlink_player(spelling)
    for player in store.people().hidden:
        store.show_player(player)
    return store.people()
