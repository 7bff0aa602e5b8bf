"""The ledger of a small club in memory, its keys and its proofs, for the tests of checkpoints and receipts."""

from collections.abc import Iterator

from msgspec import structs

from ledger import events as ev
from ledger.log import Head, LogStore, MemoryStore, Row
from ledger.log.chain import digest_after
from ledger.log.checkpoint import Checkpoint, next_checkpoint
from ledger.log.signed_note import SecretKey
from tests.contracts.log_builders import RECORDER, TickingClock, batch, play, remark

KEY = SecretKey("club.example/ledger", bytes(range(32)))
OTHER_KEY = SecretKey("club.example/ledger", bytes(32))


def club(evenings: int = 1) -> MemoryStore:
    """Return a ledger with so many evenings, each of 14 entries at one table and three elsewhere."""
    store = MemoryStore(clock=TickingClock())
    for evening in range(evenings):
        play_evening(store, evening)
    return store


def play_evening(store: LogStore, number: int = 0) -> None:
    """Record three deals at `table/club` (the first evening) or `table/club-N`, with entries of other tables between.

    Versions: 1 opened, 2-4 deal 1, 5 a substitution, 6-9 deal 2, 10-14 deal 3, which contains a dispute on deal 2 (11),
    a remark (12), a ruling for deal 2 (13) and the closing (14).
    """
    table = "table/club" if number == 0 else f"table/club-{number + 1}"

    def record(*events: object, stream: str = table) -> None:
        store.append(batch(*events, stream=stream), recorded_by=RECORDER)  # type: ignore[arg-type]

    record(ev.TableOpened(game="ombre", players=("Zoë", "花子", "Baron")))
    record(remark("elsewhere"), stream="table/other")
    record(ev.DealStarted(deal=1, dealer=0), play("SA", 1), play("SK", 2))
    record(ev.PlayerSeated(seat=2, player="Clarissa"))
    record(ev.DealStarted(deal=2, dealer=1), play("H7", 2))
    record(remark("elsewhere"), play("SA"), stream="table/other")
    record(play("H5", 0), ev.ScoreClaimed(deltas=(5, -5, 0), pool=5))
    record(
        ev.DealStarted(deal=3, dealer=2),
        ev.DisputeRaised(deal=2, seat=0, version=8, text="a revoke"),
        ev.Noted(text="ten!"),
    )
    record(ev.RulingGiven(deal=2, kind="stands", text="no revoke", dispute=11), ev.TableClosed())


def correct(store: LogStore, version: int, *events: object, action: str = "replace") -> None:
    """Record a correction of an entry of `table/club`."""
    correction = ev.Corrected(version=version, action=action, reason="misheard", events=events or None)  # type: ignore[arg-type]
    store.append(batch(correction, stream="table/club"), recorded_by="director")


def signed(store: LogStore, key: SecretKey = KEY, last: Checkpoint | None = None) -> Checkpoint:
    return next_checkpoint(store, key, last)


class Altered(MemoryStore):
    """A store that returns these rows, whatever they contain."""

    def __init__(self, rows: list[Row]) -> None:
        super().__init__()
        self._altered = rows

    def read(self, after: int = 0, until: int | None = None, *, verified: bool = True) -> Iterator[Row]:
        return iter(self._altered[after:until])

    def read_stream(
        self, stream: str, after_version: int = 0, until_position: int | None = None, *, verified: bool = True
    ) -> list[Row]:
        rows = [row for row in self._altered[:until_position] if row.stream == stream]
        return rows[after_version:]

    def head(self) -> Head:
        return Head(self._altered[-1].position, self._altered[-1].digest)


def beginning(store: LogStore, size: int) -> Altered:
    """Return the ledger as it was with so many entries."""
    return Altered(list(store.read(until=size)))


def altered(store: LogStore, position: int, **fields: object) -> Altered:
    """Return the ledger with other fields at that position, and its old digests."""
    rows = list(store.read())
    rows[position - 1] = structs.replace(rows[position - 1], **fields)
    return Altered(rows)


def rewritten(store: LogStore, position: int, **fields: object) -> Altered:
    """Return the ledger with other fields at that position, and all digests recomputed, so that it looks sound."""
    rows: list[Row] = []
    digest = bytes(32)
    for row in altered(store, position, **fields).read():
        digest = digest_after(digest, row.canonical())
        rows.append(structs.replace(row, digest=digest))
    return Altered(rows)
