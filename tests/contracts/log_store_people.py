"""The contract of every log store for names, linked spellings and hidden people, and for entries of another ledger."""

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from random import Random

import msgspec
import pytest

from ledger import limits
from ledger.errors import ConflictError, LedgerError, MalformedError
from ledger.events import Envelope, Noted
from ledger.log import EMPTY, LogStore
from ledger.log.append_rules import prepare
from ledger.log.base import PreparedBatch
from ledger.log.chain import digest_after
from ledger.log.people import People
from tests.contracts.log_builders import RECORDER, TickingClock, batch, play, remark
from tests.contracts.log_store import LogStoreContract, MakeStore
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

    def test_a_name_has_one_handle_until_it_is_erased(self, store: LogStore, tmp_path: Path) -> None:
        assert (store.has_handles, store.recorder("friday/Ann")) == (False, "friday/Ann")
        with self.new_store(tmp_path, TickingClock(), handles=True) as named:
            assert named.has_handles
            handles = named.handles_of(["Ann", "Ben", "ANN"])
            ann, version = handles["Ann"], named.names_version()
            assert handles["ANN"] == ann != handles["Ben"]
            assert named.handles_of(["ann", ann, "Cleo"], creates=False) == {"ann": ann, ann: ann}
            assert named.recorder("friday/ann") == f"friday/{ann}"
            assert (dict(named.people().names), named.names_version()) == ({ann: "Ann", handles["Ben"]: "Ben"}, version)
            named.erase_display_name(ann)
            assert named.handles_of(["Ann"])["Ann"] != ann
            with pytest.raises(MalformedError):
                named.handles_of(["Bo\u200bb"])

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


FORGED = tomllib.loads(Path(__file__).with_name("forged_entries.toml").read_text(encoding="utf-8"))["forged"]


class ImportContract(LogStoreContract):
    """Entries of another ledger."""

    @pytest.fixture
    def envelopes(self, make_store: MakeStore) -> list[Envelope]:
        """Return the export of a ledger with two tables and seven entries."""
        source = make_store()
        source.append(batch(remark("Zoë"), play("SA"), stream="table/a"), recorded_by="Zoë")
        source.append(
            batch(play("HA"), stream="table/b", happened_at="2014-03-01T06:12:00.000000Z"), recorded_by=RECORDER
        )
        source.append(batch(play("SK"), play("SQ"), play("SJ"), stream="table/a"), recorded_by=RECORDER)
        source.append(batch(play("HK"), stream="table/b"), recorded_by=RECORDER)
        return [msgspec.json.decode(row.line(), type=Envelope) for row in source.read()]

    def test_a_ledger_moved_whole_is_the_same(self, store: LogStore, envelopes: list[Envelope]) -> None:
        head = store.append_envelopes(envelopes)
        assert (head.position, head.digest.hex()) == (7, envelopes[-1].digest)
        assert store.head() == head
        assert [row.envelope() for row in store.read()] == envelopes

    def test_it_can_be_moved_in_parts(self, store: LogStore, envelopes: list[Envelope]) -> None:
        store.append_envelopes(envelopes[:4])
        store.append_envelopes(iter(envelopes[4:]))
        assert [row.envelope() for row in store.read()] == envelopes
        assert store.append_envelopes([]) == store.head()

    def test_appends_go_on_after_it(self, store: LogStore, envelopes: list[Envelope]) -> None:
        store.append_envelopes(envelopes)
        assert store.append(batch(play(), stream="table/a", expected=5), recorded_by=RECORDER).first_position == 8

    @pytest.mark.parametrize("place", [slice(1, None), slice(0, 0)])
    def test_it_must_begin_after_the_head(self, store: LogStore, envelopes: list[Envelope], place: slice) -> None:
        if place.start == 0:
            store.append_envelopes(envelopes)
            place = slice(0, None)
        before = store.head()
        with pytest.raises(ConflictError, match=f"the next position of the ledger is {before.position + 1}, not"):
            store.append_envelopes(envelopes[place])
        assert store.head() == before

    def test_a_gap_in_it_is_refused(self, store: LogStore, envelopes: list[Envelope]) -> None:
        with pytest.raises(ConflictError, match="next position of the ledger is 3, not 4"):
            store.append_envelopes(envelopes[:2] + envelopes[3:])
        assert store.head() == EMPTY
        assert store.streams() == []

    def test_an_altered_entry_is_refused_with_its_position(self, store: LogStore, envelopes: list[Envelope]) -> None:
        envelopes[4] = msgspec.structs.replace(envelopes[4], event=Noted(text="altered"))
        with pytest.raises(MalformedError, match="position 5: the digest does not match") as refused:
            store.append_envelopes(envelopes)
        assert_speaks_japanese(refused.value)
        assert store.head() == EMPTY

    def test_another_ledger_cannot_be_continued(self, store: LogStore, envelopes: list[Envelope]) -> None:
        store.append(batch(play()), recorded_by=RECORDER)
        with pytest.raises(MalformedError, match="position 2: the digest does not match"):
            store.append_envelopes(envelopes[1:])
        assert store.head().position == 1

    @pytest.mark.parametrize(("change", "message"), FORGED)
    def test_forged_entries_are_rejected(
        self, store: LogStore, envelopes: list[Envelope], change: dict[str, object], message: str
    ) -> None:
        forged = chained([*envelopes[:4], msgspec.structs.replace(envelopes[4], **change), *envelopes[5:]])
        if "digest" in change:
            forged[4] = msgspec.structs.replace(forged[4], **change)
        with pytest.raises(MalformedError) as refusal:
            store.append_envelopes(forged)
        assert message in str(refusal.value)
        assert_speaks_japanese(refusal.value)
        assert store.head() == EMPTY

    def test_an_id_used_twice_is_refused(self, store: LogStore, envelopes: list[Envelope]) -> None:
        twice = chained([*envelopes[:4], msgspec.structs.replace(envelopes[4], id=envelopes[0].id)])
        with pytest.raises(ConflictError, match=f"position 5: the id {envelopes[0].id} is already used"):
            store.append_envelopes(twice)
        store.append_envelopes(twice[:4])
        with pytest.raises(ConflictError, match=f"position 5: the id {envelopes[0].id} is already used"):
            store.append_envelopes(twice[4:])
        assert store.head().position == 4

    def test_reading_that_fails_on_the_way_leaves_nothing(self, store: LogStore, envelopes: list[Envelope]) -> None:
        def broken_file() -> object:
            yield from envelopes[:5]
            raise MalformedError("not JSON", where="line 6")

        with pytest.raises(MalformedError, match="line 6"):
            store.append_envelopes(broken_file())  # type: ignore[arg-type]
        assert store.head() == EMPTY

    def test_a_long_import_is_one_transaction(self, make_store: MakeStore) -> None:
        source, target = make_store(), make_store()
        source.append(batch(*[play()] * 2500), recorded_by=RECORDER)
        envelopes = [row.envelope() for row in source.read()]
        with pytest.raises(ConflictError):
            target.append_envelopes([*envelopes, envelopes[-1]])
        assert target.head() == EMPTY
        assert target.append_envelopes(envelopes) == source.head()
        assert all(row.version + 1 == later.version for row, later in pairwise(target.read_stream("table/ombre-1")))

    def test_prepared_groups_are_recorded_as_batches_are(self, store: LogStore) -> None:
        groups = [prepare([batch(play(), stream="table/new", expected=at)], RECORDER)[0] for at in range(3)]
        store.append_prepared(iter(groups), recorded_by=RECORDER)
        assert [row.version for row in store.read_stream("table/new")] == [1, 2, 3]
        store.append_prepared([], recorded_by=RECORDER)

    @pytest.mark.parametrize("error", [ConflictError, KeyError])
    def test_no_prepared_group_is_recorded_if_a_later_one_fails(self, store: LogStore, error: type[Exception]) -> None:
        head = store.head()

        def groups() -> Iterator[list[PreparedBatch]]:
            yield prepare([batch(play(), stream="table/new", expected=0)], RECORDER)[0]
            if error is KeyError:
                raise KeyError
            yield prepare([batch(play(), stream="table/new", expected=5)], RECORDER)[0]

        with pytest.raises(error):
            store.append_prepared(groups(), recorded_by=RECORDER)
        assert store.head() == head
        assert store.read_stream("table/new") == []


def chained(envelopes: list[Envelope]) -> list[Envelope]:
    """Return the entries with valid digests, as a forger would write them who knows the format."""
    forged: list[Envelope] = []
    digest = bytes(32)
    for envelope in envelopes:
        line = msgspec.json.encode(envelope)
        digest = digest_after(digest, line[: line.rindex(b',"digest"')] + b"}")
        forged.append(msgspec.structs.replace(envelope, digest=digest.hex()))
    return forged
