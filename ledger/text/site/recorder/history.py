"""List the acts of the deal so far, last act first: who recorded what, and what may be undone or changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from ledger.events import Corrected, DealStarted, Event
from ledger.table.corrections import corrections_in_force
from ledger.table.fold import TableFold
from ledger.text.site.recorder.acts import Signed, Telling, may_strike
from ledger.text.site.recorder.changing import may_be_another_card, replaceable_act


class ToldAct(Struct, frozen=True, kw_only=True):
    """One act. `back`: the versions that an undoing back to here strikes, last first, with blanks between; empty where
    it may not be taken back. `is_struck`: it is read no more. `undo`: it is undone (or read again) at once where none
    that is read comes after it, else with a preview; empty for the start of a deal that has gone on, which stays.
    `another`: the key of the button that changes it; empty where it may not be changed.
    """

    version: int
    told: str
    by: str
    may_undo: bool
    back: str
    is_struck: bool
    undo: Literal["at_once", "previewed", ""]
    another: str


def so_far(
    fold: TableFold, signed: Mapping[int, Signed], writer: str, telling: Telling, *, is_director: bool
) -> tuple[ToldAct, ...]:
    """The acts of the last deal, and since."""
    first = fold.deals[-1].version if fold.deals else 2
    struck = {
        version
        for version, one in corrections_in_force(fold.recorded).items()
        if one.event.action == "strike" and version >= first
    }
    read = {version: event for version, event in fold.entries if version >= first}
    written = {version: event for version, event in fold.recorded if version in struck}
    acts: list[ToldAct] = []
    later: list[int] = []
    may_all = True
    for version in sorted({*read, *written}, reverse=True):
        is_struck = version not in read
        event: Event = read[version] if not is_struck else written[version]
        if isinstance(event, Corrected):
            continue
        may = is_director or may_strike(version, fold, signed, writer)
        undo = _undo(event, is_last=not later)
        if not is_struck:
            may_all = may_all and may
            later.append(version)
        acts.append(
            ToldAct(
                version=version,
                told=telling.whole(event),
                by=signed[version].by.rpartition("/")[2] if version in signed else "",
                may_undo=may,
                back=" ".join(map(str, later)) if may_all and not is_struck else "",
                is_struck=is_struck,
                undo=undo,
                another=_another(fold, version) if may and not is_struck else "",
            )
        )
    return tuple(acts)


def _undo(event: Event, *, is_last: bool) -> Literal["at_once", "previewed", ""]:
    if is_last:
        return "at_once"
    return "" if isinstance(event, DealStarted) else "previewed"


def _another(fold: TableFold, version: int) -> str:
    act = replaceable_act(fold, version)
    if act is None:
        return ""
    return "rec.another_card" if may_be_another_card(act) else "rec.another_act"
