"""Execute commands: decide what each one records, append the entries as one group, and try again after a lost race.

This is the only way in which single entries are recorded. A command knows what it needs for its decision; it reads
states and the ledger, and changes neither. Imports in bulk (`append_prepared`, `append_envelopes`) do not pass through
here.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Generic, TypeAlias, TypeVar

from msgspec import Struct

from ledger.errors import LedgerError
from ledger.log.admission import canonical_id
from ledger.log.base import Acknowledgement, Batch, LogStore, Request, Row
from ledger.log.open_files import ReplacedError

Answer = TypeVar("Answer")

Decision: TypeAlias = Generator[Batch, None, Callable[[Sequence[Acknowledgement]], Answer]]
"""Yields the batches to append, and returns the function that makes the answer of their acknowledgements.

After each batch the states have moved by it, so that the next one can be decided on them. A batch that expects `any`
version is recorded already, and moves nothing. A decision without batches is answered at once.
"""


class LostRaceError(Exception):
    """A decision failed because another program was faster; `error` is raised when no attempt is left."""

    def __init__(self, error: LedgerError) -> None:
        super().__init__(error)
        self.error = error


class States:
    """The states of streams, kept between commands. This base class keeps none."""

    def begin(self, *, is_again: bool) -> None:
        """Prepare for the next group; `is_again`: it is not the first one of this call of `execute_all`."""

    def alone(self) -> AbstractContextManager[None]:
        """Keep other programs from recording, after a race was lost."""
        return nullcontext()

    def move(self, batch: Batch, by: str) -> None:
        """Move the state of a stream by entries that are about to be appended."""

    def drop(self, streams: Iterable[str]) -> None:
        """Forget the states of streams whose entries were not appended."""


class Command(Struct, Generic[Answer], frozen=True, kw_only=True):
    """Something that one person wants recorded, all of it or nothing.

    `by`: who records. `attempts`: how often it is decided when other programs are faster.
    """

    by: str
    attempts: int = 1

    @property
    def ids(self) -> Sequence[str]:
        """The ids under which it is recorded, as far as the caller chose them."""
        return ()

    @property
    def streams(self) -> Sequence[str]:
        """The streams in which it records."""
        return ()

    @property
    def reads_log(self) -> bool:
        """Return whether it decides by the ledger and not by states: then earlier entries must be appended before."""
        return False

    def decide(self, states: Any, known: Mapping[str, Row]) -> Decision[Answer]:
        """Decide what is appended, reading only; `known`: what is recorded already under its ids, by canonical id."""
        raise NotImplementedError


class AppendBatches(Command[list[Acknowledgement]], frozen=True, kw_only=True):
    """Append batches as they are."""

    batches: tuple[Batch, ...]

    def decide(self, states: Any, known: Mapping[str, Row]) -> Decision[list[Acknowledgement]]:
        yield from self.batches
        return list


def execute(store: LogStore, command: Command[Answer], states: States | None = None) -> Answer:
    """Execute one command; raise the error for which it was rejected."""
    (answer,) = execute_all(store, states or States(), (command,))
    if isinstance(answer, Exception):
        raise answer
    result: Answer = answer
    return result


def execute_all(store: LogStore, states: States, commands: Sequence[Command[Any]]) -> list[Any]:
    """Execute commands in this order with as few commits as possible; return the answer or the error of each.

    Each is decided as if those before it were recorded. One that lost a race is decided again, as is one that has to
    wait until others of the group are appended. Raises `ReplacedError` where the ledger is another one now.
    """
    answers: list[Any] = [None] * len(commands)
    failed = [0] * len(commands)
    waiting: list[int] = list(range(len(commands)))
    is_again = False
    while waiting:
        with states.alone() if any(failed[index] for index in waiting) else nullcontext():
            states.begin(is_again=is_again)
            group = _Group(store, states)
            results = group.execute([commands[index] for index in waiting])
        still: list[int] = []
        for index, result in zip(waiting, results, strict=True):
            is_lost = isinstance(result, _Lost)
            failed[index] += is_lost
            if result is _LATER or (is_lost and failed[index] < commands[index].attempts):
                still.append(index)
            else:
                answers[index] = result.error if is_lost else result
        waiting, is_again = still, True
    return answers


class _Lost(Struct, frozen=True):
    """The result of a command that lost a race."""

    error: LedgerError


_LATER: Any = object()
"""The result of a command that waits for the next group."""


class _Decided(Struct, frozen=True):
    """A command that is about to be appended; `place`: its number in the group."""

    place: int
    request: Request
    answer: Callable[[Sequence[Acknowledgement]], Any]


class _Group:
    """The commands of one commit."""

    def __init__(self, store: LogStore, states: States) -> None:
        self._store = store
        self._states = states
        self._decided: list[_Decided] = []
        self._ids: set[str] = set()
        self._moved: set[str] = set()
        self._closed: set[str] = set()

    def execute(self, commands: Sequence[Command[Any]]) -> list[Any]:
        results: list[Any] = [None] * len(commands)
        ids: list[list[str]] = []
        for place, command in enumerate(commands):
            try:
                ids.append([canonical_id(id) for id in command.ids])
            except LedgerError as error:
                ids.append([])
                results[place] = error
        chosen = [id for some in ids for id in some]
        known = self._store.known_ids(chosen) if chosen else {}
        for place, command in enumerate(commands):
            if results[place] is None:
                of_command = {id: known[id] for id in ids[place] if id in known}
                results[place] = self._decide(place, command, ids[place], of_command)
        for place, result in self._append():
            results[place] = result
        return results

    def _decide(self, place: int, command: Command[Any], ids: Sequence[str], known: Mapping[str, Row]) -> Any:
        """Return the result of a command that is not appended, None for one that is about to be."""
        if not self._ids.isdisjoint(ids):
            return _LATER  # the same request once more while the first one is being recorded
        if not self._closed.isdisjoint(command.streams):
            return _LATER
        if command.reads_log and not self._moved.isdisjoint(command.streams):
            self._closed.update(command.streams)
            return _LATER
        try:
            batches, answer = self._batches(command, known)
            if not batches:
                return answer(())
        except LostRaceError as lost:
            return _Lost(lost.error)
        except LedgerError as error:
            return error
        except Exception as error:  # a fault of ours is shown to whoever asked, and the others go on
            self._states.drop(command.streams)
            return error
        self._ids.update(ids)
        self._moved.update(batch.stream for batch in batches)
        if command.reads_log:
            self._closed.update(command.streams)
        self._decided.append(_Decided(place, Request(tuple(batches), command.by, goes_on=True), answer))
        return None

    def _batches(self, command: Command[Answer], known: Mapping[str, Row]) -> tuple[list[Batch], Any]:
        batches: list[Batch] = []
        steps = command.decide(self._states, known)
        try:
            while True:
                try:
                    batch = next(steps)
                except StopIteration as end:
                    return batches, end.value
                batches.append(batch)
                if batch.expected_version != "any" and not command.reads_log:
                    self._states.move(batch, command.by)
        except BaseException:
            self._states.drop(batch.stream for batch in batches)
            raise

    def _append(self) -> list[tuple[int, Any]]:
        if not self._decided:
            return []
        try:
            appended = self._store.append_group([one.request for one in self._decided])
        except ReplacedError:
            raise
        except LedgerError as error:
            self._drop(self._decided)
            return [(one.place, error) for one in self._decided]
        except BaseException:
            self._drop(self._decided)
            raise
        results: list[tuple[int, Any]] = []
        for one, result in zip(self._decided, appended, strict=True):
            if isinstance(result, LedgerError):
                self._drop([one])
                results.append((one.place, _Lost(result) if result.code == "wrong_version" else result))
                continue
            try:
                results.append((one.place, one.answer(result)))
            except Exception as error:
                results.append((one.place, error))
        return results

    def _drop(self, decided: Iterable[_Decided]) -> None:
        self._states.drop(batch.stream for one in decided for batch in one.request.batches)
