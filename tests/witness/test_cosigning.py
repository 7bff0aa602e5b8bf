"""A witness cosigns what continues, names what does not with evidence, and forgets nothing that it cosigned."""

import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from ledger.errors import ConflictError, MalformedError, UnreadableError, UsageError
from ledger.log.signed_note import SecretKey, cosignatures, encoded
from ledger.witness.evidence import Evidence
from ledger.witness.folder import WitnessFolder, WitnessRefusedError
from ledger.witness.request import CheckpointRequest
from ledger.witness.signed_list import SignedList, signed_list
from tests.cli.commands import CommandLine
from tests.log.proof_builders import beginning, club
from tests.witness.federation import FIRST_DAY, League, Member, forked

DAY = timedelta(days=1)
EXAMPLE = Path(__file__).with_name("example.request").read_text(encoding="utf-8")
"""The example of c2sp.org/tlog-witness."""


@pytest.fixture
def league(tmp_path: Path) -> League:
    return League(tmp_path / "league")


def refused(league: League, request: CheckpointRequest) -> WitnessRefusedError:
    with pytest.raises(WitnessRefusedError) as error:
        league.witness.cosign(request)
    return error.value


FAULTS = ("d 20852014|d 020852014", "d 20852014|d 20852164", "old |new ", "PlRN|PlRN!", "=\n\nexample|=\nexample")


def test_the_example_of_the_specification_is_read_and_written() -> None:
    request = CheckpointRequest.parse(EXAMPLE.encode())
    assert (request.old_size, len(request.proof), request.checkpoint.tree.size) == (20852014, 4, 20852163)
    assert request.content() == EXAMPLE.encode()
    for fault in (*FAULTS, f"\n\n|\n{f'{encoded(bytes(32))}{chr(10)}' * 60}\n"):
        with pytest.raises(MalformedError):
            CheckpointRequest.parse(EXAMPLE.replace(*fault.split("|"), 1).encode())


def test_honest_clubs_are_cosigned_as_they_grow_and_again_at_most_once_an_hour(league: League) -> None:
    clubs = [Member(league, f"club-{number}.example/ledger") for number in range(3)]
    for old in (0, 17, 34):
        for member in clubs:
            made = member.cosigned(old)
            (own,) = cosignatures(made.note, [league.witness.witness])
            assert (made.tree.size, own.at) == (old + 17, int(league.now.timestamp()))
            assert league.witness.newest(member.key.name) == made == member.cosigned(old + 17)
            member.play()
        league.now += DAY
    assert [club.entries for club in league.witness.statuses()] == [51] * 3
    first = clubs[0].cosigned(51)
    league.now += DAY
    assert clubs[0].cosigned(68) == league.witness.newest(clubs[0].key.name) != first


TWO = (17, 34)
DISHONEST: dict[str, tuple[tuple[int, ...], Callable[[Member], CheckpointRequest], str, str | None]] = {
    "another ledger of one size": (TWO, lambda one: one.request(34, forked(one, 17, 1)), "fork", "equivocation"),
    "a fork that grew": (TWO, lambda one: one.request(34, forked(one, 17, 2)), "fork", "equivocation"),
    "signed twice, earlier": (TWO, lambda one: one.request(0, club()), "fork", "equivocation"),
    "a smaller ledger": (TWO, lambda one: one.request(0, beginning(one.store, 20)), "rolled_back", None),
    "another size": (TWO, lambda one: one.request(17), "wrong_size", None),
    "no old root in the proof": ((16,), lambda one: one.request(16, forked(one, 9, 1)), "unproven", "unproven"),
}


@pytest.mark.parametrize("name", DISHONEST)
def test_dishonest_clubs_are_named_with_evidence(league: League, name: str) -> None:
    sizes, build, reason, verdict = DISHONEST[name]
    member = Member(league, evenings=2)
    for old, size in pairwise((0, *sizes)):
        league.witness.cosign(member.request(old, beginning(member.store, size)))
    error = refused(league, build(member))
    assert (error.reason, error.evidence is None) == (reason, verdict is None)
    assert league.witness.newest(member.key.name).tree.size == sizes[-1]
    if error.evidence is not None:
        evidence = Evidence.parse(error.evidence.read_bytes())
        assert evidence.content() == error.evidence.read_bytes()
        assert evidence.verdict(member.key.public()) == verdict
        assert evidence.verdict(SecretKey(member.key.name, bytes(32)).public()) == "nothing"
        checked = CommandLine(league.folder).run("verify", "--evidence", error.evidence, "--key", member.key.public())
        assert (checked.exit_code, "(equivocation)" in checked.stdout) == (int(reason != "fork"), reason == "fork")


def test_two_honest_checkpoints_prove_nothing_against_a_club_whatever_the_proof(league: League) -> None:
    member = Member(league)
    first = member.cosigned(0)
    member.play()
    request = member.request(17)
    for proof in (request.proof, request.proof[:-1], (bytes(32), *request.proof[1:]), ()):
        assert Evidence(first, request.checkpoint, proof).verdict(member.key.public()) != "equivocation"
    false = CheckpointRequest(17, (bytes(32), *request.proof[1:]), request.checkpoint)
    assert refused(league, false).reason == "unproven"
    assert league.witness.cosign(request).tree.size == 34


def test_of_many_forks_sent_at_once_one_is_cosigned(league: League) -> None:
    member, folders = Member(league), [WitnessFolder(league.folder, lambda: league.now) for _ in range(8)]
    with ThreadPoolExecutor(8) as threads:
        tries = [threads.submit(folder.cosign, member.request(0, club())) for folder in folders]
    assert sorted(getattr(one.exception(), "reason", "cosigned") for one in tries) == ["cosigned", *["fork"] * 7]


def test_a_witness_without_its_store_cosigns_nothing_until_it_is_recovered(league: League, tmp_path: Path) -> None:
    member, files = Member(league), [tmp_path / "17", tmp_path / "34"]
    files[0].write_text(str(member.cosigned(0)), encoding="utf-8")
    member.play()
    files[1].write_text(str(member.cosigned(17)), encoding="utf-8")
    (league.folder / "witness.store").unlink()
    with pytest.raises(UnreadableError, match="no longer knows what it has cosigned"):
        member.cosigned(34)
    assert [league.witness.recover(files).added for _ in range(2)] == [2, 0]
    files[0].write_text(str(member.request(0).checkpoint), encoding="utf-8")
    with pytest.raises(MalformedError, match="only 0 of 1 witnesses cosigned it"):
        league.witness.recover(files)
    assert refused(league, member.request(0, club())).reason == "fork"
    assert refused(league, member.request(0, beginning(member.store, 20))).reason == "rolled_back"
    member.play()
    assert member.cosigned(34).tree.size == 51


def test_an_altered_or_damaged_store_is_detected(league: League) -> None:
    member, path = Member(league), league.folder / "witness.store"
    member.cosigned(0)
    with closing(sqlite3.connect(path)) as store:
        with pytest.raises(sqlite3.Error, match="rows are only added"):
            store.execute("UPDATE cosigned SET size = 1")
        store.executescript("DROP TRIGGER cosigned_stays; UPDATE cosigned SET note = replace(note, 'A', 'B');")
    with pytest.raises(UnreadableError, match="the checkpoint for 17 entries of club"):
        member.cosigned(17)
    path.write_bytes(path.read_bytes()[:4096] + bytes(8192))
    with pytest.raises(UnreadableError, match="is damaged"):
        member.cosigned(17)


def test_the_list_of_a_day_is_signed_once_and_proves_each_line(league: League) -> None:
    clubs = [Member(league, f"club-{number}.example/ledger") for number in range(5)]
    for member in clubs:
        member.cosigned(0)
    with pytest.raises(UsageError, match="the day 2026-01-05 is not over"):
        league.witness.list_of(FIRST_DAY.date())
    league.now += DAY
    clubs[0].play()
    clubs[0].cosigned(17)  # on the second day
    made, key = league.witness.list_of(FIRST_DAY.date()), league.witness.public_key
    assert made == SignedList.parse(made.content()) == league.witness.list_of(FIRST_DAY.date())
    for index, member in enumerate(clubs):
        part = made.line_of(member.key.name).content()
        assert SignedList.parse(part).fault(key) is None
        assert SignedList.parse(part).club(member.key.name) == made.clubs[index]
        for old, new in ((b"line %d" % index, b"line 7"), (b" 17 ", b" 18 ")):
            assert SignedList.parse(part.replace(old, new)).fault(key) is not None
    first, *lines = made.content().split(b"\n")
    swapped = b"\n".join([first, lines[1], lines[0], *lines[2:]])
    for altered in (swapped, made.content().replace(b" 17 ", b" 16 ", 1), made.content().replace(b"01-05", b"01-06")):
        assert SignedList.parse(altered).fault(key) is not None
    with pytest.raises(ConflictError, match="was signed with other contents before"):
        signed_list(made.clubs[:2], FIRST_DAY.date(), SecretKey(key.name, bytes(32)), made.checkpoint)
