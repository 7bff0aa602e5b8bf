"""A checkpoint is made only of a sound ledger that continues the last one; each writer detects a rollback."""

import json
import shutil
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ledger.errors import ConflictError, MalformedError, UnreadableError, UsageError
from ledger.log import Head, MemoryStore, SqliteStore
from ledger.log.checkpoint import EMPTY_TREE, Checkpoint, TreeHead
from ledger.log.growth import verify_growth
from ledger.log.merkle import EMPTY_ROOT, leaf_hash, node_hash
from ledger.log.paths import seen_draft_of, seen_of
from ledger.log.proof_files import read_checkpoint
from ledger.log.rollback_detection import read_known_head, remember
from ledger.log.signed_note import encoded, sign
from ledger.log.verify import verify
from ledger.log.writer_queue import WriterQueue
from tests.contracts.log_builders import RECORDER, batch, play
from tests.japanese import assert_speaks_japanese
from tests.log.damages import described
from tests.log.proof_builders import KEY, OTHER_KEY, Altered, altered, club, play_evening, rewritten, signed

PROOFS = tomllib.loads(Path(__file__).with_name("proofs.toml").read_text(encoding="utf-8"))


def test_a_checkpoint_says_origin_size_and_root_and_is_signed() -> None:
    store = MemoryStore()
    store.append(batch(play(), play()), recorded_by=RECORDER)
    made = signed(store)
    root = node_hash(*(leaf_hash(row.line()) for row in store.read()))
    assert made.note.text == f"club.example/ledger\n2\n{encoded(root)}\n"
    assert made.fault(KEY.public()) is None
    assert Checkpoint.parse(str(made).encode()) == made


def test_an_empty_ledger_can_be_signed_and_everything_continues_it() -> None:
    empty = signed(MemoryStore())
    assert empty.tree == EMPTY_TREE == TreeHead(0, EMPTY_ROOT)
    assert signed(club(), last=empty).tree.size == 17


def test_a_ledger_that_has_grown_is_signed_again() -> None:
    store = club()
    first = signed(store)
    assert signed(store, last=first) == first
    play_evening(store, 1)
    assert signed(store, last=first).tree.size == 34


def test_what_does_not_continue_the_last_checkpoint_is_not_signed() -> None:
    last = signed(club(2))
    with pytest.raises(ConflictError, match="the ledger has 17 entries, but the checkpoint is for 34 entries"):
        signed(club(), last=last)
    for other_past in (club(2), club(3)):  # of the same play, but with other ids
        with pytest.raises(ConflictError, match="does not continue the checkpoint for 34 entries: it was rewritten"):
            signed(other_past, last=last)


def test_what_is_damaged_is_not_signed() -> None:
    with pytest.raises(UnreadableError, match="the ledger is damaged at position 5; verify it"):
        signed(altered(club(), 5, recorded_by="somebody"))
    rows = list(club().read())
    with pytest.raises(UnreadableError, match="the ledger is damaged at position 9; verify it"):
        signed(Altered([*rows[:8], *rows[9:]]))


def test_a_ledger_that_has_grown_continues_its_checkpoints() -> None:
    store = club()
    old = [signed(store).tree]
    for number in range(1, 4):
        play_evening(store, number)
        old.append(signed(store).tree)
    assert all(verify(store, signed=tree).damage is None for tree in old)


@pytest.mark.parametrize("position", [1, 7, 17])
def test_a_checkpoint_detects_a_ledger_rewritten_with_digests_that_fit(position: int) -> None:
    store = club()
    first_evening = signed(store).tree
    play_evening(store, 1)
    forged = rewritten(store, position, payload=b'{"type":"noted","text":"a lie"}')
    assert verify(forged).damage is None
    what = "entries 1 to 17 are not those that were signed: the ledger was rewritten"
    assert described(verify(forged, signed=first_evening).damage) == (None, what)


def test_what_came_after_the_checkpoint_is_not_its_business() -> None:
    store = club()
    first_evening = signed(store).tree
    play_evening(store, 1)
    assert verify(rewritten(store, 18, recorded_by="somebody"), signed=first_evening).damage is None


def test_a_ledger_cut_off_after_it_was_signed_says_how_many_entries_it_had() -> None:
    tree = signed(club(2)).tree
    store = club()
    assert described(verify(store, signed=tree).damage) == (
        18,
        "the ledger ends before this entry, but had 34 entries before",
    )


def test_damage_comes_before_the_comparison() -> None:
    store = club()
    tree = signed(store).tree
    position, _ = described(verify(altered(store, 9, digest=bytes(32)), signed=tree).damage)
    assert position == 9


@pytest.mark.parametrize(("text", "what"), PROOFS["no_checkpoints"])
def test_a_signed_text_that_is_no_checkpoint(text: str, what: str) -> None:
    with pytest.raises(MalformedError, match=what) as refused:
        Checkpoint.parse(str(sign(text, KEY)).encode())
    assert_speaks_japanese(refused.value)


def test_extension_lines_of_other_programs_are_read_over() -> None:
    made = signed(club())
    extended = sign(made.note.text + "something else\n", KEY)
    assert Checkpoint.parse(str(extended).encode()).tree == made.tree


def test_a_checkpoint_of_another_ledger_or_key_is_not_taken_for_ours() -> None:
    made = signed(club())
    assert "is not signed with the key" in str(made.fault(OTHER_KEY.public()))
    foreign = sign("other.example/ledger\n" + made.note.text.partition("\n")[2], KEY)
    what = Checkpoint.parse(str(foreign).encode()).fault(KEY.public())
    assert str(what) == "it is for other.example/ledger, but the key is for club.example/ledger"


def test_a_checkpoint_reads_each_entry_once(monkeypatch: pytest.MonkeyPatch) -> None:
    store, counted = club(3), []
    monkeypatch.setattr("ledger.log.checkpoint.leaf_hash", lambda line: counted.append(line) or leaf_hash(line))
    assert signed(store).tree.size == len(counted) == 51


def test_a_file_with_the_checkpoint_of_another_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.checkpoint"
    path.write_text(str(signed(club())), encoding="utf-8")
    assert read_checkpoint(path, KEY.public()) == read_checkpoint(path)
    message = r"a\.checkpoint: the checkpoint is not trustworthy: it is not signed with"
    with pytest.raises(MalformedError, match=message) as refused:
        read_checkpoint(path, OTHER_KEY.public())
    assert_speaks_japanese(refused.value)


def position(ledger: Path) -> int | None:
    seen = read_known_head(ledger)
    return None if seen is None else seen.position


def roll_back(ledger: Path) -> None:
    """Replace the ledger by a copy made three entries earlier."""
    shutil.copyfile(ledger, ledger.with_name("old"))
    with SqliteStore(ledger) as store:
        store.append(batch(play(), play(), play()), recorded_by=RECORDER)
    shutil.copyfile(ledger.with_name("old"), ledger)


def test_the_first_append_is_seen_at_once_and_the_last_one_at_the_end(ledger: Path) -> None:
    with SqliteStore(ledger) as store:
        store.append(batch(play()), recorded_by=RECORDER)
        assert position(ledger) == 3
        store.append(batch(play()), recorded_by=RECORDER)
        store.append(batch(play()), recorded_by=RECORDER)
        assert position(ledger) == 3
    assert position(ledger) == 5
    assert json.loads(seen_of(ledger).read_bytes()) == {
        "position": 5,
        "digest": verify_growth(ledger).head.digest.hex(),
    }


def test_what_a_killed_writer_left_is_gone_with_the_next_one(ledger: Path) -> None:
    before = {file.name for file in ledger.parent.iterdir()}
    seen_draft_of(ledger).write_text('{"position": 7, "dig')
    assert position(ledger) == 2
    with SqliteStore(ledger) as store:
        store.append(batch(play()), recorded_by=RECORDER)
    assert position(ledger) == 3
    assert {file.name for file in ledger.parent.iterdir()} == before


def test_what_is_seen_never_goes_back(ledger: Path) -> None:
    with SqliteStore(ledger) as slow, SqliteStore(ledger) as quick:
        for store in (slow, quick, slow, quick):
            store.append(batch(play()), recorded_by=RECORDER)
        quick.close()
        assert position(ledger) == 6
    assert position(ledger) == 6


def test_a_refused_process_stays_refused_until_the_rollback_is_accepted(ledger: Path) -> None:
    roll_back(ledger)
    with SqliteStore(ledger) as store:
        for _ in range(2):
            with pytest.raises(ConflictError) as refused:
                store.append(batch(play()), recorded_by=RECORDER)
            assert (refused.value.code, refused.value.values["expected"], refused.value.values["actual"]) == (
                "rolled_back",
                5,
                2,
            )
        accepted = verify_growth(ledger, accept_rollback="a slip")
        assert (accepted.damage, accepted.is_rolled_back) == (None, False)
        store.append(batch(play()), recorded_by=RECORDER)
    assert verify_growth(ledger).rollbacks == accepted.rollbacks


def test_the_remembered_head_never_goes_back(tmp_path: Path) -> None:
    heads = [Head(position, bytes([position]) * 32) for position in (2, 1, 3)]
    for head, known in zip(heads, (2, 2, 3), strict=True):
        remember(tmp_path / "club.ledger", head, lambda position: bytes([position]) * 32)
        assert getattr(read_known_head(tmp_path / "club.ledger"), "position", None) == known


def test_every_rollback_is_recorded(ledger: Path) -> None:
    for reason in ("first", "second"):
        roll_back(ledger)
        verify_growth(ledger, accept_rollback=reason)
    assert [one.reason for one in verify_growth(ledger).rollbacks] == ["first", "second"]


def test_a_reader_writes_nothing_and_does_not_wait_for_a_writer(ledger: Path) -> None:
    seen_of(ledger).unlink()
    with SqliteStore(ledger, access="read") as store:
        store.remember_head()
    assert not seen_of(ledger).exists()
    queue = WriterQueue(ledger.with_name("club.ledger-lock"))
    assert queue.enter(1)
    with SqliteStore(ledger, access="allowed") as store:
        store.remember_head()
        assert not seen_of(ledger).exists()
        queue.leave()
        store.remember_head()
    queue.close()
    assert position(ledger) == 2


@pytest.mark.parametrize("reason", ["", " \n", "x" * 10_001])
def test_a_reason_is_a_text_of_some_length(ledger: Path, reason: str) -> None:
    roll_back(ledger)
    with pytest.raises(MalformedError):
        verify_growth(ledger, accept_rollback=reason)


def test_an_empty_ledger_of_which_nothing_is_known_has_nothing_to_accept(tmp_path: Path) -> None:
    path = tmp_path / "new.ledger"
    SqliteStore.create(path).close()
    assert not verify_growth(path).is_growth_checked
    with pytest.raises(UsageError):
        verify_growth(path, accept_rollback="why not")


def test_writers_side_by_side_leave_the_furthest_entry(ledger: Path) -> None:
    def write(_: int) -> None:
        with SqliteStore(ledger) as store:
            for _ in range(5):
                store.append(batch(play()), recorded_by=RECORDER)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(8)))
    assert position(ledger) is not None
    assert 2 < (position(ledger) or 0) <= 42
    assert verify_growth(ledger).damage is None
