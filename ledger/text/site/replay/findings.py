"""Show a deal's findings and the decisions about it: disputes, rulings, corrections."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct, structs

from ledger.cards import in_order
from ledger.events import DirectorEvent
from ledger.games.kernel.findings import Violation
from ledger.i18n import sentence
from ledger.table.answers import DealScore, Ruling
from ledger.table.audit import code_order
from ledger.table.corrections import Signature
from ledger.table.disputes import Dispute, disputes_of
from ledger.table.fold import DealRecord, TableFold
from ledger.table.revokes import Revoke, revokes_of
from ledger.table.steps import ReplayStep
from ledger.table.two_readings import corrected_entries
from ledger.text.audit import fell_text, in_one_line, revoke_sentences, withheld_sentence
from ledger.text.cards import amount_text, amounts_text, legal_value
from ledger.text.case import ruling_state
from ledger.text.catalogue import Wording, label, writer_name, written_wording_for
from ledger.text.deal import correction_values
from ledger.text.disputes import Amendments, about_text
from ledger.text.site.catalogue import say
from ledger.text.site.replay.viewpoint import Link
from ledger.text.site.rulebook import CitedRule, rule_of
from ledger.zones import moment_text

FindingKind = Literal["fault", "remark"]

Linking = Callable[[str, int], Link]
"""A function that links a text to the step of an entry, by the entry's version."""


class Mark(Struct, frozen=True):
    """A step with a finding, on the slider."""

    step: int
    kind: FindingKind


class LinkedSentence(Struct, frozen=True, kw_only=True):
    """A sentence with links in its middle."""

    before: str
    links: Sequence[Link] = ()
    between: str = ""
    after: str = ""


class FindingView(Struct, frozen=True, kw_only=True):
    """A finding. `code`: the irregularity. `against`: the rule that it breaks. `about`: facts for a ruling."""

    stamp: str
    is_fault: bool
    message: str
    code: CitedRule
    against: CitedRule | None
    entry: str
    at: Link | None
    about: Sequence[LinkedSentence] = ()
    is_here: bool = False


class DecisionView(Struct, frozen=True, kw_only=True):
    """A dispute, a ruling or a correction.

    `stamp`: its kind in one word. `is_stale`: the entries that have changed since, empty if none has.
    """

    stamp: str
    text: str
    rule: CitedRule | None = None
    notes: Sequence[str] = ()
    links: Sequence[Link] = ()
    is_stale: str = ""


class DealFindings(Struct, frozen=True):
    """The findings of a deal in order, their marks on the slider, and their kinds by step."""

    findings: Sequence[FindingView]
    marks: Sequence[Mark]
    kinds: Mapping[int, Sequence[FindingKind]]


def findings_of(
    fold: TableFold,
    record: DealRecord,
    steps: Sequence[ReplayStep],
    link: Linking,
    here: int,
    seat: int | None,
    lang: str,
) -> DealFindings:
    """Return the findings of a deal.

    A seat sees only its own violations, as far as it could know them by then: those of others can be derived only from
    their cards. `steps`: the steps shown so far.
    """
    step_of = {step.version: step.step for step in reversed(steps) if step.version is not None}
    violations = sorted(_known(record, steps, seat), key=lambda one: (one.version, code_order(one.code)))
    revokes = {(one.version, one.code): one for one in revokes_of(fold, record)} if seat is None else {}
    wording = written_wording_for(fold.game, lang)
    kinds: dict[int, list[FindingKind]] = {}
    for one in violations:
        step = step_of.get(one.version)
        if step is not None:
            kinds.setdefault(step, []).append(_kind(one))
    return DealFindings(
        findings=list(
            in_one_line(
                (
                    _finding_view(fold, record, one, revokes, link, step_of.get(one.version), here, wording)
                    for one in violations
                ),
                lambda one: ((one.entry, one.code), one.message),
                lambda one, message: structs.replace(one, message=message),
                lang,
            )
        ),
        marks=[Mark(step, "fault" if "fault" in of else "remark") for step, of in sorted(kinds.items())],
        kinds={step: sorted(set(of)) for step, of in kinds.items()},
    )


def _known(record: DealRecord, steps: Sequence[ReplayStep], seat: int | None) -> Iterable[Violation]:
    if seat is None:
        return record.violations
    return (one for step in steps for one in step.violations if one.seat == seat)


def _kind(violation: Violation) -> FindingKind:
    return "remark" if violation.severity == "info" else "fault"


def _finding_view(
    fold: TableFold,
    record: DealRecord,
    violation: Violation,
    revokes: Mapping[tuple[int, str], Revoke],
    link: Linking,
    step: int | None,
    here: int,
    wording: Wording,
) -> FindingView:
    lang, revoke = wording.lang, revokes.get((violation.version, violation.code))
    stamps = {"error": "replay.fault", "warning": "replay.warning", "info": "replay.remark"}
    about = [] if revoke is None else list(_about(revoke, record.players, link, lang))
    if violation.legal and revoke is None:
        legal = "  ".join(legal_value(value, wording) for value in in_order(violation.legal))
        about.append(LinkedSentence(before=wording.say("audit.legal", values=legal)))
    return FindingView(
        stamp=say(lang, stamps[violation.severity] if revoke is None else "replay.revoke"),
        is_fault=violation.severity != "info",
        message=sentence(fold.game.package, violation.words, record.players, lang, is_written=True),
        code=rule_of(fold.game, violation.code, lang),
        against=rule_of(fold.game, violation.rule, lang) if violation.rule != violation.code else None,
        entry=say(lang, "replay.entry", version=violation.version),
        at=None if step is None else link(say(lang, "replay.at_step", step=step), violation.version),
        about=about,
        is_here=step is not None and step == here,
    )


def _about(revoke: Revoke, players: Sequence[str], link: Linking, lang: str) -> Iterator[LinkedSentence]:
    """Yield the facts of a revoke; the withheld cards link to the steps at which they fell."""
    fell = [fell_text(one, lang) for one in revoke.withheld]
    withheld = withheld_sentence(fell, lang)
    for sentence_text in revoke_sentences(revoke, players, lang):
        if not fell or sentence_text != withheld:
            yield LinkedSentence(before=sentence_text)
            continue
        before, after = withheld_sentence(("\0",), lang).split("\0")
        cards = zip(revoke.withheld, fell, strict=True)
        links = [Link(text) if one.version is None else link(text, one.version) for one, text in cards]
        yield LinkedSentence(before=before, links=links, between=label(lang, "list"), after=after)


LinksOf = Callable[[int], Iterable[Link]]


def decisions_of(
    fold: TableFold, record: DealRecord, score: DealScore, link: Linking, links_of: LinksOf, lang: str
) -> Iterator[DecisionView]:
    """Yield the disputes, then the rulings, then the corrections of a deal.

    `links_of`: links to more about a dispute or a ruling, by its version.
    """
    amendments = Amendments(written_wording_for(fold.game, lang), fold.signed)
    for dispute in disputes_of(fold):
        if dispute.deal == record.number:
            yield _dispute(dispute, record.players, amendments, link, links_of)
    for ruling in score.rulings:
        view = _ruling(fold, ruling, record.players, amendments)
        yield structs.replace(view, links=list(links_of(ruling.version))) if ruling.in_force else view
    struck = list(amendments.struck(score.struck, record.players))
    if struck:
        yield DecisionView(
            stamp=say(lang, "replay.corrected"), text=struck[0], notes=[one.strip() for one in struck[1:]]
        )
    for seen in corrected_entries(fold, record):
        if not isinstance(seen.written, DirectorEvent):
            values = correction_values(seen, record.players, amendments.wording)
            yield DecisionView(
                stamp=say(lang, "replay.corrected"),
                text=label(lang, "case.correction_line", **values),
                notes=[amendments.by(seen)],
                links=[link(say(lang, "replay.entry", version=seen.corrects), seen.corrects)],
            )


def ruling_views(
    fold: TableFold,
    record: DealRecord,
    score: DealScore,
    signed: Mapping[int, Signature],
    zone: str | None,
    lang: str,
) -> Iterator[tuple[int, DecisionView]]:
    """Yield the rulings on a deal by version. `signed`: the author and time of entries; `zone`: of the session."""
    amendments = Amendments(written_wording_for(fold.game, lang), fold.signed)
    for ruling in score.rulings:
        view, signature = _ruling(fold, ruling, record.players, amendments), signed.get(ruling.version)
        if signature is not None and signature.recorded_at is not None:
            by = (writer_name(signature.recorded_by, lang), moment_text(signature.recorded_at, zone))
            view = structs.replace(view, notes=[*view.notes, *by])
        yield ruling.version, view


def _dispute(
    dispute: Dispute, players: Sequence[str], amendments: Amendments, link: Linking, links_of: LinksOf
) -> DecisionView:
    lang = amendments.wording.lang
    state = [label(lang, f"case.state_{dispute.state}")]
    if dispute.player is not None:
        state.append(label(lang, "case.raised_by", name=dispute.player))
    links = []
    if dispute.about is not None:
        links.append(link(about_text(dispute, lang), dispute.about))
    links += links_of(dispute.version)
    return DecisionView(
        stamp=say(lang, "replay.dispute"),
        text=dispute.text,
        notes=[label(lang, "list").join(state), *amendments.corrected(dispute.corrected_by, players)],
        links=links,
        is_stale=_stale(dispute.stale, lang),
    )


def _ruling(fold: TableFold, ruling: Ruling, players: Sequence[str], amendments: Amendments) -> DecisionView:
    lang, wording = amendments.wording.lang, amendments.wording
    moved = [] if ruling.deltas is None else [amounts_text(ruling.deltas, players, lang, on_page=True)]
    if ruling.pool is not None:
        moved.append(wording.say("event.pool_moved", amount=amount_text(ruling.pool)))
    moved_text = f" {wording.listed(moved)}" if moved else ""
    return DecisionView(
        stamp=say(lang, "replay.ruling"),
        text=label(lang, "case.ruling", kind=wording.word(ruling.kind), moved=moved_text, text=ruling.text),
        rule=None if ruling.rule is None else rule_of(fold.game, ruling.rule, lang),
        notes=[
            label(lang, "list").join((say(lang, "replay.entry", version=ruling.version), ruling_state(ruling, lang))),
            *amendments.corrected(ruling.corrected_by, players),
        ],
        is_stale=_stale(ruling.stale, lang),
    )


def _stale(stale: Sequence[int], lang: str) -> str:
    return label(lang, "case.stale", entries=label(lang, "list").join(map(str, stale))) if stale else ""
