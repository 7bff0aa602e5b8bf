"""Collection of a case sheet from a table's record; `case_sheet` is pure: entries and log positions in, facts out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import structs

from ledger.cases.facts import (
    CaseSheet,
    EntryRole,
    ExplainedFinding,
    ExplainedRuling,
    InQuestion,
    LogEntry,
    RuleText,
    ScoreBasis,
    ScoreOnBasis,
)
from ledger.errors import NotFoundError
from ledger.events import (
    DEAL_TYPES,
    Announced,
    CardPlayed,
    CardsExchanged,
    CardTurned,
    DirectorEvent,
    Event,
    PartnerCalled,
)
from ledger.games.kernel.moves import shown
from ledger.games.kernel.rulebook import Rulebook, load
from ledger.games.kernel.views import DealView
from ledger.log.base import Head, LogStore, Row
from ledger.streams import TABLE
from ledger.table.amendments import DirectorCorrections
from ledger.table.answers import Call, CorrectedBy, DealScore, Finding
from ledger.table.audit import deal_findings
from ledger.table.corrections import as_recorded, corrected_reading
from ledger.table.disputes import dispute_at
from ledger.table.fold import DealRecord, TableFold, without_rulings
from ledger.table.repository import ReadAs, fold_table, opening_of, recorders_shown, session_entries
from ledger.table.revokes import revokes_of
from ledger.table.score import score_answer, substitutes_points, why_unscorable
from ledger.table.steps import ReplayStep, events_of, replay_steps, view_when_dealt
from ledger.table.two_readings import CorrectionSeen, corrected_entries, corrected_steps, correction_seen

NO_NAMES: Final[Mapping[str, str]] = {}
_EXPLAINED: Final = frozenset(("error", "warning"))


def sheet_of(
    store: LogStore, table: str, dispute_version: int, lang: str = "en", names: Mapping[str, str] = NO_NAMES
) -> CaseSheet:
    """Return the case sheet of a dispute. Raise `NotFoundError` if there is no such table or dispute.

    `names`: names to show, by the players' names in the record.
    """
    head = store.head()
    fold = fold_table(store, table, ReadAs(until=head.position, names=names))
    rows = store.read_stream(TABLE.stream(TABLE.slug(table)), until_position=head.position)
    shown = recorders_shown(rows, names)
    return case_sheet(TABLE.slug(table), fold, shown, head, dispute_version, lang, _zone(store, fold, head.position))


def case_sheet(
    table: str,
    fold: TableFold,
    rows: Sequence[Row],
    head: Head,
    dispute_version: int,
    lang: str = "en",
    zone: str | None = None,
) -> CaseSheet:
    """Return the sheet of the dispute with that version. Raise `NotFoundError` if that entry is not a dispute.

    `rows`: the table's entries in the log, from which `fold` is made; `zone`: that of its session.
    """
    dispute = dispute_at(fold, dispute_version)
    record = fold.deal(dispute.deal)
    book = load(fold.game.package, lang)
    steps = list(replay_steps(fold, record.number))
    last = steps[-1].view
    dealt = view_when_dealt(steps)
    findings = deal_findings(fold, record, lang)
    of_play = [one for one in corrected_entries(fold, record) if not _is_directors(one)]
    about = None if dispute.appeals is not None else dispute.about
    in_question = _question_about(about, fold, record, steps, findings, book)
    ruled = next(deal for deal in score_answer(table, fold, lang).deals if deal.deal == record.number)
    rulings = [ExplainedRuling(ruling=one, rule_text=_text_or_none(book, one.rule)) for one in ruled.rulings]
    of_director = [correction_seen(fold, one) for one in DirectorCorrections(fold).corrections(record.number)]
    corrections = sorted([*of_play, *of_director], key=lambda one: one.version)
    sheet = CaseSheet(
        table=table,
        game=fold.game.title,
        pack=fold.pack,
        players=record.players,
        deal=record.number,
        dealer=record.dealer,
        happened_at=rows[record.version - 1].happened_at,
        recorded_at=rows[record.version - 1].recorded_at,
        zone=zone,
        dispute=dispute,
        hands=dealt.hands,
        stock=dealt.stock,
        auction=[Call(**call) for call in last.auction],
        turned=[event.card for event in events_of(steps, CardTurned)],
        called=events_of(steps, PartnerCalled),
        exchanges=events_of(steps, CardsExchanged),
        announced=events_of(steps, Announced),
        trump=last.trump,
        contract=last.contract,
        declarer=last.declarer,
        partner=last.partner,
        declarers=_equals(fold, record) if last.declarer is None else (),
        tricks=last.tricks,
        in_question=in_question,
        findings=[ExplainedFinding(finding=one, rule_text=_text_or_none(book, one.rule)) for one in findings],
        revokes=revokes_of(fold, record),
        corrections=corrections,
        scores=scores_by_basis(table, fold, record, lang),
        unscorable=why_unscorable(fold, record, lang),
        sheet_stale=() if ruled.claimed is None else ruled.claimed.stale,
        lines=ruled.lines,
        rulings=rulings,
        struck=ruled.struck,
        rests_on=[],
        head_position=head.position,
        head_digest=head.digest.hex() or None,
    )
    return structs.replace(sheet, rests_on=_rests_on(sheet, fold, record, rows))


def _zone(store: LogStore, fold: TableFold, until: int) -> str | None:
    """Return the time zone of the table's session, if it has one."""
    session = fold.opened.session
    opened = None if session is None else opening_of(corrected_reading(session_entries(store, session, until)))
    return None if opened is None else opened.zone


def question_about(about: int | None, fold: TableFold, record: DealRecord, lang: str = "en") -> InQuestion | None:
    """Return the entry `about` of a deal as a director looks at it; if None, the first entry with an error.

    None if no step of the deal is in question.
    """
    steps, findings = list(replay_steps(fold, record.number)), deal_findings(fold, record, lang)
    return _question_about(about, fold, record, steps, findings, load(fold.game.package, lang))


def _question_about(
    about: int | None,
    fold: TableFold,
    record: DealRecord,
    steps: Sequence[ReplayStep],
    findings: Sequence[Finding],
    book: Rulebook,
) -> InQuestion | None:
    wanted = [finding.version for finding in findings if finding.severity == "error"] if about is None else [about]
    step = next((step.step for version in wanted for step in steps if step.version == version), None)
    if step is None:
        return None
    question = _in_question(steps, step, steps[-1].view, findings, fold, book)
    if step not in corrected_steps(fold, record):
        return question
    of_play = (one for one in corrected_entries(fold, record) if not _is_directors(one))
    correction = next((one for one in of_play if one.corrects == question.version), None)
    return structs.replace(question, correction=correction)


def _in_question(
    steps: Sequence[ReplayStep],
    number: int,
    last: DealView,
    findings: Sequence[Finding],
    fold: TableFold,
    book: Rulebook,
) -> InQuestion:
    step, before = steps[number], steps[number - 1].view
    event = step.event
    assert event is not None and step.version is not None
    on_it = [finding for finding in findings if finding.version == step.version and finding.severity in _EXPLAINED]
    legal = next((finding.legal for finding in on_it if finding.legal), None)
    trick, place = _place_in_tricks(event, before, last)
    broken = [finding.rule for finding in on_it]
    following = fold.game.following if place else ()
    return InQuestion(
        version=step.version,
        step=number,
        event=event,
        seat=getattr(event, "seat", None),
        trick=trick,
        hands_before=before.hands,
        correction=None,
        legal=list(map(str, shown(before.legal, before.turn).get(type(event), ()))) if legal is None else legal,
        why=[
            RuleText(rule=rule, text=text, is_broken=rule in broken)
            for rule in dict.fromkeys([*following, *broken])
            if (text := _text_or_none(book, rule)) is not None
        ],
    )


def _place_in_tricks(event: Event, before: DealView, last: DealView) -> tuple[int | None, int]:
    """Return the trick of a card, from 1, and its place there, from 0; None and 0 for an act that is in no trick."""
    if isinstance(event, CardPlayed):
        place = sum(len(trick.cards) for trick in before.tricks)
        for number, trick in enumerate(last.tricks, 1):
            if place < len(trick.cards):
                is_it = (trick.seats[place], trick.cards[place]) == (event.seat, event.card)
                return (number, place) if is_it else (None, 0)
            place -= len(trick.cards)
    return None, 0


def _text_or_none(book: Rulebook, rule: str | None) -> str | None:
    """Return the text of a rule, or None if the book has none with that id."""
    try:
        return None if rule is None else book.rule(rule).text
    except NotFoundError:
        return None


def _score(table: str, fold: TableFold, number: int, lang: str) -> tuple[DealScore, TableFold] | None:
    """Return the score of a deal and its table, or None if this reading has no such deal."""
    answer = score_answer(table, fold, lang)
    return next(((deal, fold) for deal in answer.deals if deal.deal == number), None)


def scores_by_basis(table: str, fold: TableFold, record: DealRecord, lang: str = "en") -> list[ScoreOnBasis]:
    """Return the scores as claimed, as first written, by the rules after corrections, and as ruled, if they differ."""
    number = record.number
    is_corrected = any(not _is_directors(one) for one in corrected_entries(fold, record))
    ruled, by_rules = (_score(table, of, number, lang) for of in (fold, without_rulings(fold)))
    assert ruled is not None and by_rules is not None
    scores = []
    claimed = ruled[0].claimed
    if claimed is not None:
        scores.append(
            ScoreOnBasis(
                basis="claimed",
                status=None,
                result=None,
                deltas=None if claimed.deltas is None else list(claimed.deltas),
                pool_after=claimed.pool,
                totals=None if claimed.totals is None else list(claimed.totals),
            )
        )
    if is_corrected:
        written = _score(table, without_rulings(TableFold(as_recorded(fold.recorded))), number, lang)
        if written is not None:
            scores.append(_score_on_basis("as_recorded", *written))
    scores.append(_score_on_basis("by_the_rules", *by_rules))
    if ruled[0].rulings:
        scores.append(_score_on_basis("as_ruled", *ruled))
    return scores


def _score_on_basis(basis: ScoreBasis, deal: DealScore, fold: TableFold) -> ScoreOnBasis:
    adjusts = [ruling for ruling in deal.rulings if ruling.kind == "adjust"]
    deltas = [sum(amounts) for amounts in zip(deal.deltas, *(one.deltas or () for one in adjusts), strict=True)]
    result = deal.outcome.get("result")
    return ScoreOnBasis(
        basis=basis,
        status=deal.status,
        result=None if result is None else str(result),
        deltas=deltas,
        pool_after=deal.pool_after + sum(one.pool or 0 for one in adjusts),
        totals=fold.match.totals,
        points=substitutes_points(fold),
    )


def _words_of(version: int, corrected_by: Sequence[CorrectedBy], what: EntryRole) -> Sequence[tuple[int, EntryRole]]:
    """Return the entry with the shown words of a dispute or ruling and, if it was corrected, the original."""
    return [(corrected_by[-1].version, what), (version, "written")] if corrected_by else [(version, what)]


def _equals(fold: TableFold, record: DealRecord) -> tuple[int, ...]:
    """Return the partners with equal roles, by the deal's outcome."""
    return () if record.outcome is None else fold.game.summarise(record.outcome).declarers


def _is_directors(seen: CorrectionSeen) -> bool:
    return any(isinstance(event, DirectorEvent) for event in (seen.written, *seen.read))


def _rests_on(sheet: CaseSheet, fold: TableFold, record: DealRecord, rows: Sequence[Row]) -> list[LogEntry]:
    """Return the entries that the sheet names, in the order of the log; the chain of digests covers those
    between them.
    """
    of_deal = [version for version, event in fold.entries[record.start : record.end] if type(event) in DEAL_TYPES]
    dispute, in_question = sheet.dispute, sheet.in_question
    named: list[tuple[int, EntryRole]] = [
        (1, "opened"),
        (record.version, "deal"),
        (max(of_deal), "last"),  # disputes and rulings may come after it
        *_words_of(dispute.version, dispute.corrected_by, "dispute"),
    ]
    about = in_question.version if in_question is not None else None if dispute.appeals else dispute.about
    if about is not None:
        named.append((about, "in_question"))
    for one in sheet.rulings:
        named += _words_of(one.ruling.version, one.ruling.corrected_by, "ruling")
    named += [(gone.version, "written") for gone in sheet.struck]
    directors_versions = {version for version, what in named if what in ("dispute", "ruling")}
    named += [(seen.version, "correction") for seen in sheet.corrections if seen.version not in directors_versions]
    return [
        LogEntry(
            what=what,
            version=version,
            position=rows[version - 1].position,
            digest=rows[version - 1].digest.hex() or None,
            recorded_at=rows[version - 1].recorded_at,
            recorded_by=rows[version - 1].recorded_by,
        )
        for version, what in sorted(set(named))
    ]
