"""What a director must know about one table: open questions, unruled findings, stale rulings, and what is played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from ledger.events import TableClosed
from ledger.log.base import Row
from ledger.table.audit import deal_findings
from ledger.table.disputes import disputes_of
from ledger.table.fold import DealRecord, TableFold
from ledger.table.repository import TableAsRead
from ledger.table.score import score_answer
from ledger.text.audit import gathered
from ledger.text.catalogue import Wording, title_of, writer_name, written_wording_for
from ledger.text.disputes import about_text
from ledger.text.events import event_text
from ledger.text.site.catalogue import say
from ledger.text.site.replay.table_page import is_being_played


class OpenDispute(Struct, frozen=True, kw_only=True):
    """A dispute that waits for a ruling. `finding`: what the audit finds in its deal, empty if nothing."""

    version: int
    deal: int
    text: str
    player: str
    about: str
    finding: str
    since: str


class Unruled(Struct, frozen=True, kw_only=True):
    """The findings of a deal on which nobody ruled and that nobody disputes. `version`: of the first one."""

    deal: int
    version: int
    text: str
    count: int
    since: str


class StaleRuling(Struct, frozen=True, kw_only=True):
    """A ruling in force whose basis was corrected later. `dispute`: the dispute that it decided."""

    version: int
    deal: int
    text: str
    entries: str
    dispute: int | None
    since: str


class LastRuling(Struct, frozen=True, kw_only=True):
    """A ruling that was given."""

    deal: int
    version: int
    text: str
    dispute: int | None
    at: str


class TableWatch(Struct, frozen=True, kw_only=True):
    """A table for the desk, as its entries show it. `now`: what is being played, in words.

    `ended`: deals that are over and whose hands are not shown yet. `last_*`: the last entry. `closing`: the version of
    the entry that closed the table, None if it is open.
    """

    table: str
    game: str
    session: str | None
    version: int
    closing: int | None
    now: str
    last_at: str
    last_by: str
    last_text: str
    disputes: Sequence[OpenDispute]
    findings: Sequence[Unruled]
    stale: Sequence[StaleRuling]
    rulings: Sequence[LastRuling]
    ended: Sequence[int]


def watched(read: TableAsRead, rows: Sequence[Row], ended: Sequence[int], lang: str) -> TableWatch:
    """Return what a director must know about a table. `rows`: its entries; `ended`: deals whose hands may be opened."""
    fold = read.fold
    wording = written_wording_for(fold.game, lang)
    last = rows[-1]
    disputes, findings = list(_disputes(fold, rows, wording)), list(_findings(fold, rows, lang))
    stale, rulings = _rulings(read, rows, wording)
    closed = [version for version, event in fold.entries if isinstance(event, TableClosed)]
    return TableWatch(
        table=read.slug,
        game=title_of(fold.game, lang),
        session=fold.opened.session,
        version=len(rows),
        closing=closed[-1] if closed else None,
        now=_now(fold, wording),
        last_at=last.recorded_at,
        last_by=writer_name(last.recorded_by, lang),
        last_text=event_text(fold.recorded[-1][1], _players(fold), wording),
        disputes=disputes,
        findings=findings,
        stale=stale,
        rulings=rulings,
        ended=ended,
    )


def _players(fold: TableFold) -> Sequence[str]:
    return fold.deals[-1].players if fold.deals else fold.players


def _disputes(fold: TableFold, rows: Sequence[Row], wording: Wording) -> Iterator[OpenDispute]:
    for one in disputes_of(fold):
        if one.state == "open":
            findings = _worst(fold, fold.deal(one.deal), wording.lang)
            yield OpenDispute(
                version=one.version,
                deal=one.deal,
                text=one.text,
                player=one.player or "",
                about=about_text(one, wording.lang),
                finding=findings[0] if findings else "",
                since=rows[one.version - 1].recorded_at,
            )


def _worst(fold: TableFold, record: DealRecord, lang: str) -> list[str]:
    """Return the messages of the findings of a deal that are more than remarks."""
    findings = [one for one in deal_findings(fold, record, lang) if one.severity != "info"]
    return [one.message for one in gathered(findings, lang)]


def _findings(fold: TableFold, rows: Sequence[Row], lang: str) -> Iterator[Unruled]:
    disputed = {one.deal for one in disputes_of(fold)}
    for record in fold.deals:
        broken = [one for one in record.violations if one.severity != "info"]
        if not broken or record.rulings or record.number in disputed or is_being_played(fold, record):
            continue
        texts = _worst(fold, record, lang)
        first = min(one.version for one in broken)
        yield Unruled(
            deal=record.number,
            version=first,
            text=texts[0],
            count=len(texts),
            since=rows[first - 1].recorded_at,
        )


def _rulings(
    read: TableAsRead, rows: Sequence[Row], wording: Wording
) -> tuple[Sequence[StaleRuling], Sequence[LastRuling]]:
    """Return the stale rulings in force after whose correction nobody ruled on the deal, and all rulings."""
    if not any(record.rulings for record in read.fold.deals):
        return (), ()
    stale: list[StaleRuling] = []
    given: list[LastRuling] = []
    for deal in score_answer(read.slug, read.fold, wording.lang).deals:
        for one in deal.rulings:
            text = say(wording.lang, "desk.ruling", kind=wording.word(one.kind), text=one.text)
            at = rows[one.version - 1].recorded_at
            given.append(LastRuling(deal=deal.deal, version=one.version, text=text, dispute=one.dispute, at=at))
            if one.stale and one.in_force and deal.rulings[-1].version < max(one.stale):
                stale.append(
                    StaleRuling(
                        version=one.version,
                        deal=deal.deal,
                        text=text,
                        entries=wording.listed(map(str, one.stale)),
                        dispute=one.dispute,
                        since=rows[one.stale[0] - 1].recorded_at,
                    )
                )
    return stale, given


def _now(fold: TableFold, wording: Wording) -> str:
    """Return what is being played, e.g. `deal 6, trick 4`."""
    lang = wording.lang
    if not fold.deals:
        return say(lang, "desk.not_begun")
    record = fold.deals[-1]
    if not is_being_played(fold, record):
        return say(lang, "desk.deal_over", deal=record.number)
    view = record.machine.view()
    if not view.tricks:
        return say(lang, "desk.deal_phase", deal=record.number, phase=wording.word(view.phase))
    tricks = [one for one in view.tricks if one.winner is not None]
    return say(lang, "desk.deal_trick", deal=record.number, trick=min(len(tricks) + 1, max(1, len(view.tricks))))
