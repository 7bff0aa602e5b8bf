"""Execute commands: decide what each one records, append the entries as one group, and try again after a lost race.

This is the only way in which single entries are recorded. A command knows what it needs for its decision; it reads
states and the ledger, and changes neither. Imports in bulk (`append_prepared`, `append_envelopes`) do not pass through
here.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any, ClassVar, Final, Generic, NamedTuple, TypeAlias, TypeVar

from msgspec import Struct, structs

from ledger.errors import ConflictError, LedgerError
from ledger.log.append_rules import canonical_id
from ledger.log.base import Acknowledgement, AppendRequest, Batch, LogStore, Row
from ledger.log.open_files import ReplacedError
from ledger.recording.handles import with_handles

Answer = TypeVar("Answer")
ErrorOf = TypeVar("ErrorOf", bound=BaseException)

Decision: TypeAlias = Generator[Batch, Batch | None, Callable[[Sequence[Acknowledgement]], Answer]]
"""A generator of the batches to append, which returns the function that makes the answer from their acknowledgements.

It is sent the batch that is recorded instead if names became handles, else None. After each batch the states include
its entries, so that the next batch can be decided. A batch that expects `any` version is already recorded and changes
no state. A decision without batches is answered at once.
"""


class LostRaceError(Exception):
    """The error of a decision that lost a race with another program; `error` is raised after the last attempt."""

    def __init__(self, error: LedgerError) -> None:
        super().__init__(error)
        self.error = error


class States:
    """The states of streams, cached between commands. This base class caches none."""

    def begin(self, *, is_again: bool) -> None:
        """Prepare for the next group; `is_again`: this call of `execute_all` has already decided one."""

    def alone(self) -> AbstractContextManager[None]:
        """Keep other programs from recording, after a race was lost."""
        return nullcontext()

    def move(self, batch: Batch, by: str) -> None:
        """Apply entries that are about to be appended to the state of their stream."""

    def drop(self, streams: Iterable[str]) -> None:
        """Drop the states of streams whose entries were not appended."""


class Command(Struct, Generic[Answer], frozen=True, kw_only=True):
    """One request to record something, all of it or nothing.

    `by`: the recorder. `attempts`: how often it is decided if other programs are faster.
    """

    reads_log: ClassVar[bool] = False
    """Whether the command decides by the ledger and not by states; earlier entries are then appended first."""

    by: str
    attempts: int = 1

    @property
    def ids(self) -> Sequence[str]:
        """The ids of its entries that the caller chose."""
        return ()

    @property
    def streams(self) -> Sequence[str]:
        """The streams of its entries."""
        return ()

    def decide(self, states: Any, known: Mapping[str, Row]) -> Decision[Answer]:
        """Decide which batches to append, without side effects; `known`: the recorded entries with its ids, by
        canonical id.
        """
        raise NotImplementedError


class AppendBatches(Command[list[Acknowledgement]], frozen=True, kw_only=True):
    """The command that appends these batches unchanged."""

    batches: tuple[Batch, ...]

    def decide(self, states: Any, known: Mapping[str, Row]) -> Decision[list[Acknowledgement]]:
        """Decide to append the batches as they are."""
        yield from (batch for batch in self.batches)
        return list


_KEEPS_NONE: Final = States()


def execute(store: LogStore, command: Command[Answer], states: States = _KEEPS_NONE) -> Answer:
    """Execute one command as `execute_all` would. Raise the error for which it was rejected.

    It skips the bookkeeping of a group, which would cost a tenth of an act at a live table.
    """
    if store.has_handles:
        command = structs.replace(command, by=store.recorder(command.by, creates=False))
    return retry(partial(_attempt, store, command, states), command.attempts)


def _attempt(store: LogStore, command: Command[Answer], states: States) -> Answer:
    ids = command.ids
    batches, answer = _decided(store, command, states, store.known_ids(ids) if ids else {})
    if not batches:
        return answer(())
    try:
        acknowledged = store.append_all(batches, recorded_by=store.recorder(command.by))
    except BaseException as error:
        states.drop(batch.stream for batch in batches)
        raise lost_race(error) from None
    return answer(acknowledged)


def retry(work: Callable[[], Answer], attempts: int) -> Answer:
    """Repeat `work` while it raises `LostRaceError`, at most `attempts` times. Raise the error of the last attempt."""
    for left in range(attempts - 1, -1, -1):
        try:
            return work()
        except LostRaceError as lost:
            if not left:
                raise lost.error from None
    raise AssertionError


def execute_all(store: LogStore, states: States, commands: Sequence[Command[Any]]) -> list[Any]:
    """Execute commands in this order with as few commits as possible; return the answer or the error of each.

    Each command is decided as if those before it were recorded. A command that lost a race, or that waits for others of
    its group, is decided again. Raise `ReplacedError` if the file of the ledger was replaced by another one.
    """
    answers: list[Any] = [_LATER] * len(commands)
    lost = [0] * len(commands)
    waiting: Sequence[int] = range(len(commands))
    is_again = False
    while waiting:
        with states.alone() if is_again and any(lost[index] for index in waiting) else _NOT_ALONE:
            states.begin(is_again=is_again)
            group = _Group(states, commands, answers)
            group.decide(store, waiting)
            group.append(store)
        is_again = True
        waiting = [index for index in waiting if group.is_waiting(index, lost)]
    return answers


_NOT_ALONE: Final = nullcontext()
_LATER: Final[Any] = object()
"""The answer of a command that waits for the next group."""


class _Decided(NamedTuple):
    """A command that is about to be appended; `number`: its index among all commands."""

    number: int
    request: AppendRequest
    answer: Callable[[Sequence[Acknowledgement]], Any]


class _Group:
    """The commands of one commit; it writes into `answers`."""

    def __init__(self, states: States, commands: Sequence[Command[Any]], answers: list[Any]) -> None:
        self._states = states
        self._commands = commands
        self._answers = answers
        self._decided: list[_Decided] = []
        self._ids: set[str] = set()
        self._moved: set[str] = set()
        self._closed: set[str] = set()

    def decide(self, store: LogStore, indexes: Sequence[int]) -> None:
        """Decide the commands one after the other, each on the state after those before it."""
        ids: dict[int, list[str]] = {}
        for index in indexes:
            try:
                ids[index] = list(map(canonical_id, self._commands[index].ids))
            except LedgerError as error:
                self._answers[index] = error
        chosen = [id for some in ids.values() for id in some]
        known = store.known_ids(chosen) if chosen else {}
        for index, own in ids.items():
            self._answers[index] = self._decide(store, index, own, {id: known[id] for id in own if id in known})

    def _decide(self, store: LogStore, index: int, ids: Sequence[str], known: Mapping[str, Row]) -> Any:
        """Return the answer of a command that is not appended, else `_LATER`."""
        command = self._commands[index]
        streams = command.streams
        if not (self._ids.isdisjoint(ids) and self._closed.isdisjoint(streams)):
            return _LATER  # e.g. a repeated request while the first one is being recorded
        if command.reads_log and not self._moved.isdisjoint(streams):
            self._closed.update(streams)
            return _LATER
        try:
            batches, answer = _decided(store, command, self._states, known)
            if not batches:
                return answer(())
        except (LedgerError, LostRaceError) as error:
            return error
        except Exception as error:  # a bug fails only its own command
            self._states.drop(streams)
            return error
        self._ids.update(ids)
        self._moved.update(batch.stream for batch in batches)
        if command.reads_log:
            self._closed.update(streams)
        self._decided.append(_Decided(index, AppendRequest(tuple(batches), command.by, goes_on=True), answer))
        return _LATER

    def append(self, store: LogStore) -> None:
        """Append the decided batches with one commit."""
        if not self._decided:
            return
        try:
            appended = store.append_group([one.request for one in self._decided])
        except BaseException as error:
            self._drop(self._decided)
            if not isinstance(error, LedgerError) or isinstance(error, ReplacedError):
                raise
            for one in self._decided:
                self._answers[one.number] = error
            return
        for one, result in zip(self._decided, appended, strict=True):
            if isinstance(result, LedgerError):
                self._drop([one])
                self._answers[one.number] = lost_race(result)
                continue
            try:
                self._answers[one.number] = one.answer(result)
            except Exception as error:
                self._answers[one.number] = error

    def _drop(self, decided: Iterable[_Decided]) -> None:
        self._states.drop(batch.stream for one in decided for batch in one.request.batches)

    def is_waiting(self, index: int, lost: list[int]) -> bool:
        """Return whether the command must be decided again."""
        answer = self._answers[index]
        if not isinstance(answer, LostRaceError):
            return answer is _LATER
        lost[index] += 1
        self._answers[index] = answer.error
        return lost[index] < self._commands[index].attempts


def _decided(
    store: LogStore, command: Command[Answer], states: States, known: Mapping[str, Row]
) -> tuple[list[Batch], Callable[[Sequence[Acknowledgement]], Answer]]:
    """Return the batches of a decision, already applied to the states, and the function that makes the answer."""
    batches: list[Batch] = []
    steps = command.decide(states, known)
    recorded: Batch | None = None
    try:
        while True:
            try:
                batch = steps.send(recorded)
            except StopIteration as end:
                return batches, end.value
            recorded = with_handles(store, batch) if store.has_handles else None
            batch = recorded or batch
            batches.append(batch)
            if batch.expected_version != "any" and not command.reads_log:
                states.move(batch, command.by)
    except BaseException:
        states.drop(batch.stream for batch in batches)
        raise


def lost_race(error: ErrorOf) -> ErrorOf | LostRaceError:
    """Return the error of an append; a stream with another version than expected makes it a `LostRaceError`."""
    if isinstance(error, ConflictError) and error.code == "wrong_version":
        return LostRaceError(error)
    return error
