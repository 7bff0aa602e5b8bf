"""The director's desk: what waits, oldest first, each with its next step; the room; what was closed or ruled lately."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from msgspec import Struct

from ledger.text.site.catalogue import say
from ledger.text.site.desk.case_page import quoted
from ledger.text.site.desk.watch import StaleRuling, TableWatch
from ledger.text.site.replay.viewpoint import Link
from ledger.zones import moment_text

QUIET: Final = timedelta(minutes=5)
"""The age of the last entry from which an open table counts as quiet."""

LEFT_OPEN: Final = timedelta(hours=12)
"""The age of the last entry from which nobody can be expected to go on."""

_WAITING_MAX: Final = 40
_RULINGS_MAX: Final = 10
_CARDS: Final = "/table-cards"


class RoomState(Struct, frozen=True, kw_only=True):
    """The surroundings of the watched tables. `titles`: by table; `hidden`: the tables that hold up proofs; `phones`:
    the number of listening recorders, by table; `opens`: the pages that the reader may open.
    """

    titles: Mapping[str, str]
    evenings: Mapping[str, str]
    closed_evenings: Mapping[str, str]
    hidden: frozenset[str]
    phones: Mapping[str, int]
    opens: frozenset[str]
    opens_hands: bool
    now: datetime


class Waiting(Struct, frozen=True, kw_only=True):
    """A thing that waits for the director. `is_now`: it concerns the room, not a decision. `actions`: the next step
    first. `hands`: the table whose hands a button here opens, with its version. `id`: the same while it waits.
    """

    id: str
    stamp: str
    is_now: bool
    table: Link
    since: str
    text: str
    notes: Sequence[str]
    actions: Sequence[Link]
    hands: tuple[str, int] | None = None


class RoomRow(Struct, frozen=True, kw_only=True):
    """An open table at a glance. `name`: its slug. `holds_up`: proofs end before its open deal."""

    name: str
    table: Link
    game: str
    now: str
    age: str
    by: str
    is_quiet: bool
    phones: int
    holds_up: bool
    close: Link


class Closed(Struct, frozen=True, kw_only=True):
    """A closed table or evening that may be reopened. `version`: of its last entry; None for an evening."""

    name: str
    title: str
    address: str
    version: int | None


class DeskPage(Struct, frozen=True, kw_only=True):
    """The desk. `more`: the number of further things that wait; `evenings`: the open ones, with the pages to close."""

    waiting: Sequence[Waiting]
    count: int
    more: int
    room: Sequence[RoomRow]
    evenings: Sequence[tuple[Link, Link]]
    closed: Sequence[Closed]
    rulings: Sequence[tuple[Link, str]]


def desk_page_of(watches: Sequence[TableWatch], state: RoomState, lang: str) -> DeskPage:
    """Return the desk over these tables."""
    waiting = sorted((item for one in watches for item in _waiting_at(one, state, lang)), key=lambda item: item[:2])
    given = sorted(
        ((one.at, watch, one) for watch in watches for one in watch.rulings), key=lambda row: row[0], reverse=True
    )
    closed = [one for one in watches if one.closing is not None and one.session in (None, *state.evenings)]
    return DeskPage(
        waiting=[one for *_, one in waiting[:_WAITING_MAX]],
        count=len(waiting),
        more=max(0, len(waiting) - _WAITING_MAX),
        room=sorted(
            (_room_row(one, state, lang) for one in watches if one.closing is None),
            key=lambda row: [(len(part), part) if part.isdecimal() else (0, part) for part in _parts(row.table.text)],
        ),
        evenings=[
            (Link(title, f"/sessions/{session}"), Link(say(lang, "desk.close_evening"), _closing_of_evening(session)))
            for session, title in state.evenings.items()
        ],
        closed=[
            *(Closed(name=one, title=title, address=f"/sessions/{one}", version=None)
              for one, title in state.closed_evenings.items()),
            *(Closed(name=one.table, title=state.titles[one.table], address=f"/t/{one.table}", version=one.version)
              for one in closed),
        ],
        rulings=[
            (Link(_where(watch, one.deal, state, lang), _case_of(watch.table, one.dispute, one.deal)), one.text)
            for _, watch, one in given[:_RULINGS_MAX]
        ],
    )  # fmt: skip


def age_text(moment: str, now: datetime, lang: str) -> str:
    """Return how long ago something happened, e.g. `9 min`; after a day its date."""
    minutes = int((now - datetime.fromisoformat(moment)).total_seconds()) // 60
    if minutes < 1:
        return say(lang, "desk.just_now")
    if minutes < 60:
        return say(lang, "desk.minutes", count=minutes)
    if minutes < 24 * 60:
        return say(lang, "desk.hours", hours=minutes // 60, minutes=minutes % 60)
    return moment_text(moment)[:10]


def _parts(text: str) -> list[str]:
    return re.split(r"(\d+)", text)


def _age(moment: str, state: RoomState) -> timedelta:
    return state.now - datetime.fromisoformat(moment)


def _closing_of_evening(session: str) -> str:
    return f"/record/sessions/{session}/close"


def _case_of(table: str, dispute: int | None, deal: int) -> str:
    return f"/t/{table}/{deal}" if dispute is None else f"/t/{table}/disputes/{dispute}"


def _where(watch: TableWatch, deal: int, state: RoomState, lang: str) -> str:
    return say(lang, "replay.deal_of", table=state.titles[watch.table], deal=deal)


_Sorted = tuple[int, str, Waiting]


def _waiting_at(watch: TableWatch, state: RoomState, lang: str) -> Iterator[_Sorted]:
    """Yield what waits at a table with its sort key: decisions first, then the room, each by the time since."""

    def decision(
        version: int, since: str, deal: int, stamp: str, text: str, notes: Sequence[str], *actions: Link
    ) -> _Sorted:
        table = Link(_where(watch, deal, state, lang), f"/t/{watch.table}/{deal}")
        age = age_text(since, state.now, lang)
        id = f"{stamp.rpartition('.')[2]}-{watch.table}-{version}"
        return 0, since, Waiting(
            id=id, stamp=say(lang, stamp), is_now=False, table=table, since=age, text=text, notes=notes, actions=actions
        )  # fmt: skip

    for dispute in watch.disputes:
        who = say(lang, "desk.raised_by", name=dispute.player) if dispute.player else ""
        notes = [one for one in (who, dispute.about, dispute.finding) if one]
        yield decision(
            dispute.version, dispute.since, dispute.deal, "replay.dispute", quoted(dispute.text, lang), notes,
            Link(say(lang, "desk.open_case"), f"/t/{watch.table}/disputes/{dispute.version}"),
        )  # fmt: skip
    for one in watch.stale:
        notes = [say(lang, "desk.stale", entries=one.entries)]
        ways = _actions_on_stale(watch, one, lang)
        yield decision(one.version, one.since, one.deal, "replay.stale", one.text, notes, *ways)
    for finding in watch.findings:
        notes = [say(lang, "desk.more_findings", count=finding.count - 1)] if finding.count > 1 else []
        yield decision(
            finding.version, finding.since, finding.deal, "desk.finding", finding.text, notes,
            Link(say(lang, "desk.rule"), f"/t/{watch.table}/{finding.deal}/ruling?about={finding.version}"),
        )  # fmt: skip
    if watch.ended:
        yield 0, watch.last_at, _hands(watch, state, lang)
    if watch.closing is None and (trouble := _trouble(watch, state, lang)) is not None:
        yield trouble


def _actions_on_stale(watch: TableWatch, one: StaleRuling, lang: str) -> Sequence[Link]:
    again = f"/t/{watch.table}/{one.deal}/ruling" if one.dispute is None else _case_of(watch.table, one.dispute, 0)
    return (
        Link(say(lang, "desk.compare"), f"/t/{watch.table}/{one.deal}/readings"),
        Link(say(lang, "ruling.rule_again"), again),
    )


def _hands(watch: TableWatch, state: RoomState, lang: str) -> Waiting:
    return Waiting(
        id=f"hands-{watch.table}",
        stamp=say(lang, "desk.hands"),
        is_now=False,
        table=Link(_where(watch, watch.ended[-1], state, lang), f"/t/{watch.table}/{watch.ended[-1]}"),
        since=age_text(watch.last_at, state.now, lang),
        text=say(lang, "desk.hands_text"),
        notes=[] if state.opens_hands else [say(lang, "desk.hands_who")],
        actions=[],
        hands=(watch.table, watch.version) if state.opens_hands else None,
    )


def _trouble(watch: TableWatch, state: RoomState, lang: str) -> _Sorted | None:
    """Return that nothing has been recorded at an open table for a while."""
    age = _age(watch.last_at, state)
    if age < QUIET:
        return None
    is_left = age >= LEFT_OPEN
    notes = [say(lang, "desk.last", what=watch.last_text, name=watch.last_by)] if watch.last_text else []
    if not is_left:
        notes.append(_phones(watch, state, lang))
    holds_up = watch.table in state.hidden
    if holds_up:
        notes.append(say(lang, "desk.holds_up"))
    title, at = state.titles[watch.table], f"/t/{watch.table}"
    close = Link(say(lang, "desk.close_table"), f"/record/{watch.table}/close")
    cards = [Link(say(lang, "desk.new_card"), _CARDS)] if _CARDS in state.opens else []
    waiting = Waiting(
        id=f"room-trouble-{watch.table}",
        stamp=say(lang, "desk.left_open" if is_left else "desk.quiet"),
        is_now=True,
        table=Link(title, at),
        since=age_text(watch.last_at, state.now, lang),
        text=say(lang, "desk.left_open_text" if is_left else "desk.quiet_text", now=watch.now),
        notes=notes,
        actions=[close] if is_left else [Link(say(lang, "desk.look"), at), *cards, *([close] if holds_up else [])],
    )
    return (2 if is_left else 1), watch.last_at, waiting


def _phones(watch: TableWatch, state: RoomState, lang: str) -> str:
    return say(lang, "desk.phones", count=state.phones.get(watch.table, 0))


def _room_row(watch: TableWatch, state: RoomState, lang: str) -> RoomRow:
    return RoomRow(
        name=watch.table,
        table=Link(state.titles[watch.table], f"/t/{watch.table}"),
        game=watch.game,
        now=watch.now,
        age=age_text(watch.last_at, state.now, lang),
        by=watch.last_by,
        is_quiet=_age(watch.last_at, state) >= QUIET,
        phones=state.phones.get(watch.table, 0),
        holds_up=watch.table in state.hidden,
        close=Link(say(lang, "desk.close"), f"/record/{watch.table}/close"),
    )
