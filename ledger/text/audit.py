"""Findings of a table for a director: each with its rule's text, revokes with what a ruling needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, repeat
from typing import Any, Final, TypeVar

from msgspec import structs

from ledger.cases.facts import ExplainedFinding
from ledger.errors import NotFoundError
from ledger.games.kernel.rulebook import Rule, load
from ledger.recording.dry_run import LocatedFinding
from ledger.recording.hand.checking import FindingInFile
from ledger.table.answers import AuditAnswer, Finding, Ruling
from ledger.table.disputes import Dispute, disputes_of
from ledger.table.fold import TableFold, without_rulings
from ledger.table.revokes import Revoke, Withheld, revokes_of
from ledger.table.score import score_answer
from ledger.text.cards import amounts_text, card_text, legal_value
from ledger.text.catalogue import Wording, label, rules_note, title_of, wording_for
from ledger.text.disputes import Amendments, stale_text
from ledger.text.layout import padded
from ledger.text.score import unscorable_line


def revoke_sentences(revoke: Revoke, players: Sequence[str], lang: str) -> Iterator[str]:
    """Yield when a revoke was established, the cards withheld, the winner of the trick, and the effects on later
    tricks.
    """
    yield label(lang, f"revoke.{revoke.established_by or 'open'}", trick=revoke.trick, established=revoke.established)
    if revoke.shown is not None:
        yield label(lang, "revoke.shown", shown=revoke.shown)
    if revoke.withheld:
        yield withheld_sentence(map(fell_text, revoke.withheld, repeat(lang)), lang)
    if revoke.winner is not None:
        yield label(lang, "clauses").join(_winners(revoke, players, lang))
    touched = label(lang, "list").join(map(str, revoke.touched))
    yield label(lang, "revoke.touched", tricks=touched) if touched else label(lang, "revoke.untouched")
    counts = label(lang, "list").join(
        f"{name} {count}" for name, count in zip(players, revoke.won_after, strict=True) if count
    )
    yield label(lang, "revoke.won_after", trick=revoke.trick, counts=counts or "0")


def withheld_sentence(fell: Iterable[str], lang: str) -> str:
    """Return the sentence on withheld cards. `fell`: each card with the trick where it was played."""
    return label(lang, "revoke.withheld", cards=label(lang, "list").join(fell))


def fell_text(one: Withheld, lang: str) -> str:
    """Return a withheld card and the trick where it was played."""
    if one.trick is None:
        return label(lang, "revoke.not_fallen", card=card_text(one.card))
    return label(lang, "revoke.fell", card=card_text(one.card), trick=one.trick, version=one.version)


def _winners(revoke: Revoke, players: Sequence[str], lang: str) -> Iterator[str]:
    """Yield the winner of the trick, and its winner with each of the withheld cards."""
    assert revoke.winner is not None
    yield label(lang, "revoke.won", trick=revoke.trick, name=players[revoke.winner])
    for seat in dict.fromkeys(one.would_win for one in revoke.withheld):
        if seat is not None:
            cards = " ".join(card_text(one.card) for one in revoke.withheld if one.would_win == seat)
            key = "revoke.same" if seat == revoke.winner else "revoke.other"
            yield label(lang, key, cards=cards, name=players[seat])


_INDENT = " " * 10
_SEVERITY_COLUMNS: Final = 7
_COLON: Final = ":"


Item = TypeVar("Item")
WithFinding = TypeVar("WithFinding", FindingInFile, ExplainedFinding, LocatedFinding)


def audit_text(answer: AuditAnswer, fold: TableFold, lang: str, tz: str | None = None) -> Iterator[str]:
    """Yield all findings, what unscorable deals lack, and decisions that depend on corrected entries or were corrected.

    Times are in `tz`, by default in the machine's zone.
    """
    wording = wording_for(fold.game, lang, fold.pack)
    return map(wording.cards, _audit_text(answer, fold, wording, tz))


def _audit_text(answer: AuditAnswer, fold: TableFold, wording: Wording, tz: str | None) -> Iterator[str]:
    lang = wording.lang
    yield f"{answer.table} · {title_of(fold.game, lang)} · {wording.listed(fold.players)}"
    stale = [*_stale(fold, lang), *_corrected_or_struck(fold, Amendments(wording, fold.signed, (tz,)))]
    missing = list(_missing(fold, wording))
    if not (answer.findings or stale or missing):
        yield "  " + label(lang, "audit.nothing")
    quoted: list[Rule] = []
    about = _about_revokes(fold, lang)
    for finding in gathered(answer.findings, lang):
        rule = _rule_of(finding, fold, lang)
        quoted += [] if rule is None else [rule]
        yield from _finding(finding, rule, wording)
        for line in about.get((finding.version, finding.code), ()):
            yield _INDENT + line
    if note := rules_note(quoted, lang):
        yield f"  {note}"
    yield from missing
    yield from stale
    yield ""


def gathered(findings: Iterable[Finding], lang: str) -> Iterator[Finding]:
    """Yield the findings; merge those with the same subject for several seats: `sheet differs: Ann +3 …, Ben -3 …`."""
    return in_one_line(findings, _subject, lambda one, message: structs.replace(one, seat=None, message=message), lang)


def gathered_within(items: Iterable[WithFinding], lang: str) -> Iterator[WithFinding]:
    """Yield items that have a `finding`, with their findings merged as by `gathered`."""

    def with_message(item: WithFinding, message: str) -> WithFinding:
        return structs.replace(item, finding=structs.replace(item.finding, seat=None, message=message))

    return in_one_line(items, lambda item: _subject(item.finding), with_message, lang)


def _subject(finding: Finding) -> tuple[Any, str]:
    return (finding.deal, finding.version, finding.code, finding.rule), finding.message


def in_one_line(
    items: Iterable[Item],
    subject: Callable[[Item], tuple[Any, str]],
    with_message: Callable[[Item, str], Item],
    lang: str,
) -> Iterator[Item]:
    """Yield the items, with neighbours merged whose sentences begin alike up to a colon.

    `subject`: an item's subject and sentence; `with_message`: the item with another sentence.
    """

    def beginning(item: Item) -> Any:
        about, message = subject(item)
        before, colon, _ = message.partition(_COLON)
        return (about, before) if colon else id(item)

    for _, neighbours in groupby(items, beginning):
        first, *others = neighbours
        rests = [subject(one)[1].partition(_COLON)[2].lstrip() for one in others]
        yield with_message(first, label(lang, "list").join([subject(first)[1], *rests])) if others else first


def finding_text(finding: Finding, lang: str) -> str:
    """Return a finding's severity, code, place and sentence."""
    severity = padded(severity_text(finding, lang), _SEVERITY_COLUMNS)
    key = "audit.at_entry" if finding.deal is None else "audit.at_deal"
    where = label(lang, key, deal=finding.deal, version=finding.version)
    return f"{severity} {finding.code}  {label(lang, 'audit.finding', where=where, message=finding.message)}"


def severity_text(finding: Finding, lang: str) -> str:
    """Return the name of a finding's severity."""
    return label(lang, f"severity.{finding.severity}")


def _rule_of(finding: Finding, fold: TableFold, lang: str) -> Rule | None:
    """Return the broken rule; None for a finding without a rulebook, or a rule that is not in it."""
    try:
        return None if finding.rule == finding.code else load(fold.game.package, lang).rule(finding.rule)
    except NotFoundError:
        return None


def _finding(finding: Finding, rule: Rule | None, wording: Wording) -> Iterator[str]:
    yield f"  {finding_text(finding, wording.lang)}"
    if finding.legal:
        legal = "  ".join(legal_value(value, wording) for value in finding.legal)
        yield _INDENT + wording.say("audit.legal", values=legal)
    if rule is not None:
        yield f"{_INDENT}{rule.id}: {rule.text}"
    elif finding.rule != finding.code:
        yield _INDENT + wording.say("audit.against", rule=finding.rule)


def _about_revokes(fold: TableFold, lang: str) -> dict[tuple[int, str], list[str]]:
    """Return the lines on each revoke, by its version and code."""
    revoked = [(record, revoke) for record in fold.deals for revoke in revokes_of(fold, record)]
    if not revoked:
        return {}
    played = {record.number: record for record in without_rulings(fold).deals}
    about = {}
    for record, revoke in revoked:
        lines = list(revoke_sentences(revoke, record.players, lang))
        settlement = played[record.number].settlement
        if played[record.number].status == "complete" and settlement is not None:
            lines.append(label(lang, "revoke.score", score=amounts_text(settlement.deltas, record.players, lang)))
        about[revoke.version, revoke.code] = lines
    return about


def _missing(fold: TableFold, wording: Wording) -> Iterator[str]:
    """Yield what each unscorable deal lacks."""
    for record in fold.deals:
        line = unscorable_line(fold, record, wording)
        if line is not None:
            yield f"  {line}"


def _stale(fold: TableFold, lang: str) -> Iterator[str]:
    """Yield the rulings and score sheets that depend on entries corrected since."""
    for deal in score_answer("", fold).deals:
        for ruling in deal.rulings:
            if ruling.stale:
                where = {"version": ruling.version, "deal": deal.deal, "stale": stale_text(ruling.stale, lang)}
                yield "  " + label(lang, "audit.stale_ruling", **where, text=ruling.text)
        if deal.claimed is not None and deal.claimed.stale:
            where = {"version": deal.claimed.version, "deal": deal.deal, "stale": stale_text(deal.claimed.stale, lang)}
            yield "  " + label(lang, "audit.stale_sheet", **where)


def _corrected_or_struck(fold: TableFold, amendments: Amendments) -> Iterator[str]:
    """Yield the disputes and rulings that were corrected, and those that were struck."""
    say, disputes = amendments.wording.say, disputes_of(fold)
    for deal, record in zip(score_answer("", fold).deals, fold.deals, strict=True):
        named: list[tuple[str, Dispute | Ruling]] = [("audit.ruling", ruling) for ruling in deal.rulings]
        named += [("audit.dispute", dispute) for dispute in disputes if dispute.deal == deal.deal]
        for key, one in sorted(named, key=lambda of: of[1].version):
            if one.corrected_by:
                yield "  " + say(key, version=one.version, deal=deal.deal, text=one.text)
                yield from (_INDENT + line for line in amendments.corrected(one.corrected_by, record.players))
        yield from (f"  {line}" for line in amendments.struck(deal.struck, record.players))
