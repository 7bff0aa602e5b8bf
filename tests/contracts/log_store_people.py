"""Which spellings are one person, and who is hidden: for every store that keeps a ledger, as `log_store` says."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from ledger.errors import ConflictError, LedgerError, NotFoundError
from ledger.log import LogStore
from ledger.log.people import People
from tests.contracts.log_builders import RECORDER, batch, play
from tests.contracts.log_store import LogStoreContract

PLAYERS = tuple("ABCDEF")
DOINGS = ("link_player", "unlink_player", "hide_player", "show_player")


class PeopleContract(LogStoreContract):
    """Who is who stands outside of the log, and all of it can be taken back."""

    def test_everybody_is_somebody_else_until_two_are_linked(self, store: LogStore) -> None:
        assert store.people() == People()
        store.link_player("Ann", "Anna")
        store.link_player("Ani", "Anna")
        assert store.people().persons() == {"Ani": "Anna", "Ann": "Anna"}
        assert store.people().spellings("Ann") == {"Ani", "Ann", "Anna"}
        assert store.people().spellings("Ben") == {"Ben"}

    def test_a_chain_leads_to_one_person_in_whichever_order_it_was_made(self, store: LogStore) -> None:
        store.link_player("Ann", "Anna")
        store.link_player("Anna", "Anne")
        store.link_player("Any", "Ann")
        assert store.people().persons() == {"Ann": "Anne", "Anna": "Anne", "Any": "Anne"}
        store.unlink_player("Anna")
        assert store.people().persons() == {"Ann": "Anna", "Any": "Anna"}

    def test_there_is_no_circle(self, store: LogStore) -> None:
        store.link_player("Ann", "Anna")
        store.link_player("Anna", "Anne")
        for spelling, player in (("Anne", "Ann"), ("Anna", "Ann"), ("Ann", "Anne"), ("Ben", "Ben")):
            with pytest.raises(ConflictError, match=f"{spelling} and {player} are one person already"):
                store.link_player(spelling, player)
        assert store.people().links == {"Ann": "Anna", "Anna": "Anne"}

    def test_a_spelling_is_linked_to_one_person(self, store: LogStore) -> None:
        store.link_player("Ann", "Anna")
        with pytest.raises(ConflictError, match="Ann is linked to Anna already; nothing was changed: unlink it first"):
            store.link_player("Ann", "Ben")

    def test_what_is_not_linked_cannot_be_unlinked(self, store: LogStore) -> None:
        store.link_player("Ann", "Anna")
        with pytest.raises(NotFoundError, match="Anna is not linked to anybody; linked to it: Ann"):
            store.unlink_player("Anna")
        with pytest.raises(NotFoundError, match="Ben is not linked to anybody"):
            store.unlink_player("Ben")

    def test_a_person_is_hidden_with_all_spellings_and_shown_by_any(self, store: LogStore) -> None:
        store.link_player("Ann", "Anna")
        store.hide_player("Ann")
        assert store.people().hidden_persons() == {"Anna"}
        with pytest.raises(ConflictError, match="Anna is hidden already"):
            store.hide_player("Anna")
        store.show_player("Anna")
        assert store.people().hidden == frozenset()
        with pytest.raises(NotFoundError, match="Ann is not hidden"):
            store.show_player("Ann")

    def test_who_was_hidden_alone_is_hidden_alone_once_unlinked(self, store: LogStore) -> None:
        store.hide_player("Ann")
        store.link_player("Ann", "Anna")
        assert store.people().hidden_persons() == {"Anna"}
        store.unlink_player("Ann")
        assert store.people().hidden_persons() == {"Ann"}

    def test_the_log_knows_nothing_of_it(self, store: LogStore) -> None:
        store.append(batch(play()), recorded_by=RECORDER)
        before = store.head(), list(store.read())
        store.link_player("Ann", "Anna")
        store.hide_player("Ben")
        assert (store.head(), list(store.read())) == before

    def test_names_links_and_who_is_hidden_leave_each_other_alone(self, store: LogStore) -> None:
        store.set_display_name("Ann", "Annabel")
        store.link_player("Ann", "Anna")
        store.hide_player("Ben")
        assert store.people() == People({"Ann": "Annabel"}, {"Ann": "Anna"}, frozenset(("Ben",)))
        store.erase_display_name("Ann")
        store.show_player("Ben")
        assert store.people() == People(links={"Ann": "Anna"})

    def test_each_change_is_counted_and_no_refusal(self, store: LogStore) -> None:
        seen = [store.names_version()]
        for change in (
            lambda: store.link_player("Ann", "Anna"),
            lambda: store.hide_player("Ann"),
            lambda: store.show_player("Ann"),
            lambda: store.unlink_player("Ann"),
        ):
            change()
            seen.append(store.names_version())
        assert len(set(seen)) == 5
        with pytest.raises(NotFoundError):
            store.unlink_player("Ann")
        assert store.names_version() == seen[-1]

    def test_a_closed_ledger_knows_nobody_and_takes_nothing(self, store: LogStore) -> None:
        store.link_player("Ann", "Anna")
        store.close()
        uses: list[Callable[[], object]] = [
            store.people,
            lambda: store.link_player("Ben", "Anna"),
            lambda: store.unlink_player("Ann"),
            lambda: store.hide_player("Ann"),
            lambda: store.show_player("Ann"),
        ]
        for use in uses:
            with pytest.raises(LedgerError):
                use()

    @pytest.mark.parametrize("seed", range(4))
    def test_what_is_done_can_be_undone_and_leaves_nothing(self, store: LogStore, seed: int) -> None:
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
    """What is left once every link and every hidden person is taken back."""
    for spelling in store.people().links:
        store.unlink_player(spelling)
    for player in store.people().hidden:
        store.show_player(player)
    return store.people()
