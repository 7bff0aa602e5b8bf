"""What was found in a deal, each with the rule that it breaks, and of a revoke what a ruling may rest on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct, structs

from ledger.cards import in_order
from ledger.games.kernel.findings import Violation
from ledger.i18n import sentence
from ledger.table.audit import code_order
from ledger.table.fold import DealRecord, TableFold
from ledger.table.revokes import Revoke, revokes_of
from ledger.table.steps import ReplayStep
from ledger.text.audit import in_one_line
from ledger.text.cards import legal_value
from ledger.text.revokes import fell_text, revoke_sentences, withheld_sentence
from ledger.text.site.replay.facts import Found, Kind, Link, Linked, Mark
from ledger.text.site.replay.rules import rule_of
from ledger.text.site.words import say
from ledger.text.words import Wording, label, written_wording_for

Linking = Callable[[str, int], Link]
"""A text that leads to the step of an entry, by its version."""


class Findings(Struct, frozen=True):
    """`told`: all that may be told, in order; `marks`: where on the slider; `kinds`: of what, by step."""

    told: Sequence[Found]
    marks: Sequence[Mark]
    kinds: Mapping[int, Sequence[Kind]]


def findings_of(
    fold: TableFold,
    record: DealRecord,
    steps: Sequence[ReplayStep],
    link: Linking,
    here: int,
    seat: int | None,
    lang: str,
) -> Findings:
    """What was found in the deal. A seat is told what it broke itself and could know until then: of others only who
    sees their cards can tell.

    `steps`: as far as they are shown.
    """
    step_of = {step.version: step.step for step in reversed(steps) if step.version is not None}
    found = sorted(_known(record, steps, seat), key=lambda one: (one.version, code_order(one.code)))
    revokes = {(one.version, one.code): one for one in revokes_of(fold, record)} if seat is None else {}
    wording = written_wording_for(fold.game, lang)
    kinds: dict[int, list[Kind]] = {}
    for one in found:
        step = step_of.get(one.version)
        if step is not None:
            kinds.setdefault(step, []).append(_kind(one))
    return Findings(
        told=list(
            in_one_line(
                (_told(fold, record, one, revokes, link, step_of.get(one.version), here, wording) for one in found),
                lambda one: ((one.entry, one.code), one.message),
                lambda one, message: structs.replace(one, message=message),
                lang,
            )
        ),
        marks=[Mark(step, _graver(of)) for step, of in sorted(kinds.items())],
        kinds={step: sorted(set(of)) for step, of in kinds.items()},
    )


def _known(record: DealRecord, steps: Sequence[ReplayStep], seat: int | None) -> Iterable[Violation]:
    if seat is None:
        return record.violations
    return (one for step in steps for one in step.violations if one.seat == seat)


def _kind(found: Violation) -> Kind:
    return "remark" if found.severity == "info" else "fault"


def _graver(kinds: Sequence[Kind]) -> Kind:
    return "fault" if "fault" in kinds else "remark"


def _told(
    fold: TableFold,
    record: DealRecord,
    found: Violation,
    revokes: Mapping[tuple[int, str], Revoke],
    link: Linking,
    step: int | None,
    here: int,
    wording: Wording,
) -> Found:
    lang, revoke = wording.lang, revokes.get((found.version, found.code))
    stamps = {"error": "replay.fault", "warning": "replay.warning", "info": "replay.remark"}
    about = [] if revoke is None else list(_about(revoke, record.players, link, lang))
    if found.legal and revoke is None:
        legal = "  ".join(legal_value(value, wording) for value in in_order(found.legal))
        about.append(Linked(before=wording.say("audit.legal", values=legal)))
    return Found(
        stamp=say(lang, stamps[found.severity] if revoke is None else "replay.revoke"),
        is_fault=found.severity != "info",
        message=sentence(fold.game.package, found.words, record.players, lang, is_written=True),
        code=rule_of(fold.game, found.code),
        against=rule_of(fold.game, found.rule) if found.rule != found.code else None,
        entry=say(lang, "replay.entry", version=found.version),
        at=None if step is None else link(say(lang, "replay.at_step", step=step), found.version),
        about=about,
        is_here=step is not None and step == here,
    )


def _about(revoke: Revoke, players: Sequence[str], link: Linking, lang: str) -> Iterator[Linked]:
    """The facts of a revoke, the cards kept back with links to where they fell."""
    fell = [fell_text(one, lang) for one in revoke.withheld]
    withheld = withheld_sentence(fell, lang)
    for told in revoke_sentences(revoke, players, lang):
        if not fell or told != withheld:
            yield Linked(before=told)
            continue
        before, after = withheld_sentence(("\0",), lang).split("\0")
        cards = zip(revoke.withheld, fell, strict=True)
        links = [Link(text) if one.version is None else link(text, one.version) for one, text in cards]
        yield Linked(before=before, links=links, between=label(lang, "list"), after=after)
