"""A witness with a clock that tests set, and clubs that send it checkpoints of their ledgers, for the tests here."""

from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from ledger.log import LogStore, MemoryStore
from ledger.log.checkpoint import Checkpoint
from ledger.log.signed_note import SecretKey
from ledger.witness.folder import WitnessFolder
from ledger.witness.request import CheckpointRequest, checkpoint_request
from tests.log.proof_builders import club, play_evening, signed

FIRST_DAY = datetime(2026, 1, 5, 20, tzinfo=UTC)


class League:
    """The witness in a new folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.now = folder, FIRST_DAY
        WitnessFolder.create(folder, "league.example/witness")
        self.witness = WitnessFolder(folder, lambda: self.now)


class Member:
    """A registered club with its key and ledger; each evening has 17 entries."""

    def __init__(self, league: League, name: str = "club.example/ledger", evenings: int = 1) -> None:
        self.witness, self.key = league.witness, SecretKey(name, sha256(name.encode()).digest())
        self.store = club(evenings)
        league.witness.add_club(self.key.public())

    def play(self) -> None:
        play_evening(self.store, self.store.head().position // 17)

    def request(self, old_size: int, store: LogStore | None = None, key: SecretKey | None = None) -> CheckpointRequest:
        """Return an honest request, or one for another ledger or signed with another key."""
        store = store or self.store
        return checkpoint_request(store, signed(store, key or self.key), old_size)

    def cosigned(self, old_size: int) -> Checkpoint:
        return self.witness.cosign(self.request(old_size))


def forked(member: Member, size: int, evenings: int) -> MemoryStore:
    """Return a ledger that shares the first `size` entries of a club's and goes on differently."""
    store = MemoryStore()
    store.append_envelopes(row.envelope() for row in member.store.read(until=size))
    for number in range(evenings):
        play_evening(store, 10 + number)
    return store
