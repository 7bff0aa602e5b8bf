"""Imports in words: what was or would be recorded, the result of a hand record, differences between two records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import structs

from ledger.events import MAX_SEATS
from ledger.games import game_named
from ledger.recording.dry_run import LocatedFinding, TableChange
from ledger.recording.hand.checking import FindingInFile, HandRecordCheck
from ledger.recording.hand.comparison import ComparedAct, DealDifference, TableComparison
from ledger.recording.importing import ImportReport
from ledger.recording.reimport import ChangedLine
from ledger.streams import TABLE
from ledger.table.answers import DealScore
from ledger.table.two_readings import Comparison
from ledger.text.audit import finding_text, gathered_within
from ledger.text.cards import amounts_text, legal_value, player_totals_text
from ledger.text.catalogue import Wording, counted, label, title_of, wording_for
from ledger.text.changes import change_table, change_words
from ledger.text.events import event_text, events_text
from ledger.text.layout import Part


def check_text(answer: HandRecordCheck, lang: str) -> Iterator[str]:
    """Yield what a hand record contains, deal by deal, then its findings with line and word."""
    wording = wording_for(game_named(answer.score.game), lang, answer.pack)
    return map(wording.cards, _check_text(answer, wording))


def _check_text(answer: HandRecordCheck, wording: Wording) -> Iterator[str]:
    score, lang = answer.score, wording.lang
    yield label(
        lang,
        "check.would_record",
        source=answer.source,
        table=answer.table,
        game=title_of(game_named(score.game), lang),
        deals=counted(lang, len(score.deals), "deal"),
        events=counted(lang, answer.events, "event"),
    )
    seated = answer.seated or [score.players] * len(score.deals)
    for deal, players in zip(score.deals, seated, strict=True):
        yield f"  {wording.say('check.deal', deal=deal.deal, score=_score(deal, players, wording))}"
    totals = player_totals_text(score.totals, score.players, answer.points, lang)
    yield "  " + label(lang, "check.totals", amounts=totals)
    if not answer.findings:
        yield label(lang, "check.nothing")
    for slip in answer.slips:
        yield slip.message
    for located in gathered_within(answer.findings, lang):
        yield from _finding(answer.source, located, wording)


def _finding(source: str, located: FindingInFile, wording: Wording) -> Iterator[str]:
    key = "check.at_line" if located.word is None else "check.at_word"
    yield wording.say(key, source=source, line=located.line, word=located.word)
    yield f"  {finding_text(located.finding, wording.lang)}"
    if located.finding.legal:
        legal = "  ".join(legal_value(value, wording) for value in located.finding.legal)
        yield f"  {wording.say('audit.legal', values=legal)}"


def comparison_text(answer: TableComparison, lang: str) -> Iterator[str]:
    """Yield the first difference of each deal of two tables, and both scores."""
    wording = wording_for(game_named(answer.game), lang)
    if not (answer.deals or answer.top):
        yield label(lang, "compare.same", first=answer.first, second=answer.second)
        return
    for field in answer.top:
        yield label(lang, f"compare.other_{field}")
    for deal in answer.deals:
        yield from _deal(answer, deal, wording)


def _deal(answer: TableComparison, deal: DealDifference, wording: Wording) -> Iterator[str]:
    yield wording.say("compare.deal", deal=deal.deal)
    for source, act, score, players in (
        (answer.first, deal.first, deal.score_first, deal.players_first),
        (answer.second, deal.second, deal.score_second, deal.players_second),
    ):
        if deal.first is not None or deal.second is not None:
            yield f"  {_act(source, act, players, wording)}"
        else:
            yield f"  {source}"
        yield f"    {wording.say('compare.no_deal') if score is None else _score(score, players, wording)}"


def _act(source: str, act: ComparedAct | None, players: Sequence[str], wording: Wording) -> str:
    if act is None:
        return wording.say("compare.says_no_more", source=source)
    text = event_text(act.event, players, wording)
    if act.line is None:
        return wording.say("compare.at_entry", source=source, version=act.version, event=text)
    key = "compare.at_line" if act.word is None else "compare.at_word"
    return wording.say(key, source=source, line=act.line, word=act.word, event=text)


def _score(deal: DealScore, players: Sequence[str], wording: Wording) -> str:
    amounts = amounts_text(deal.deltas, players, wording.lang)
    return wording.say("check.score", status=wording.word(deal.status), amounts=amounts)


FROM_STANDARD_INPUT: Final = "standard input"
"""The source of data that came from no file."""
_FILES_SHOWN: Final = 8
_SUMMED: Final = ("tables", "deals", "events", "already_recorded", "findings")


def imports_text(reports: Sequence[ImportReport], lang: str) -> Iterator[Part]:
    """Yield a line for each file; of many files only those with findings, and the sums.

    A dry run also yields what each file would change.
    """
    is_tried = any(report.dry_run for report in reports)
    is_long = len(reports) > _FILES_SHOWN
    for report in reports:
        if report.findings or report.corrected or report.lacking or is_tried or not is_long:
            yield _recorded(report, lang)
        if is_tried:
            yield from _changes(report, lang)
    if is_long:
        sums = {field: sum(getattr(report, field) for report in reports) for field in _SUMMED}
        all_files = counted(lang, len(reports), "file")
        yield _recorded(ImportReport(source=all_files, form="in all", dry_run=is_tried, **sums), lang)
    if is_tried:
        yield label(lang, "import.tried")


def _recorded(report: ImportReport, lang: str) -> str:
    text = label(
        lang,
        "import.would_be_recorded" if report.dry_run else "import.recorded",
        source=label(lang, "import.standard_input") if report.source == FROM_STANDARD_INPUT else report.source,
        form=Wording(lang).known("form", report.form),
        tables=counted(lang, report.tables, "table"),
        deals=counted(lang, report.deals, "deal"),
        events=counted(lang, report.events, "event"),
    )
    if report.already_recorded:
        text += label(lang, "import.recorded_before", events=counted(lang, report.already_recorded, "event"))
    if report.corrected:
        key = "import.would_be_corrected" if report.dry_run else "import.corrected"
        text += label(lang, key, events=counted(lang, len(report.corrected), "event"))
    if report.lacking:
        text += label(lang, "import.lacking", events=counted(lang, report.lacking, "event"))
    if report.findings:
        key = "import.would_be_found" if report.dry_run else "import.findings"
        text += label(lang, key, findings=counted(lang, report.findings, "finding"))
    return text


def _changes(report: ImportReport, lang: str) -> Iterator[Part]:
    """Yield what would be corrected, then the score and the findings of each table before and after."""
    for one in report.changes:
        wording = wording_for(game_named(one.game), lang)
        yield ""
        yield from _corrections(report.corrected, one, wording)
        yield change_table(one.change, one.players, one.has_pool, wording)
        of_table = [located for located in report.new_findings if located.table == one.table]
        yield from (_located_finding(located, lang) for located in gathered_within(of_table, lang))
        yield from change_words(_without_new(one.change), wording)
    if report.changes:
        yield ""


def _corrections(corrected: Sequence[ChangedLine], table: TableChange, wording: Wording) -> Iterator[str]:
    players = [*table.players, *map(str, range(len(table.players), MAX_SEATS))]  # seats that the file no longer has
    for change in corrected:
        if TABLE.slug(change.stream) == table.table:
            was, now = (
                events_text(events, players, wording) or wording.say("nothing") for events in (change.was, change.now)
            )
            yield wording.say("import.changed", line=change.line, was=was, now=now, version=change.version)


def _located_finding(located: LocatedFinding, lang: str) -> str:
    finding = finding_text(located.finding, lang)
    if located.line is None:
        return f"  {finding}"
    return label(lang, "import.found", line=located.line, text=located.text, finding=finding)


def _without_new(change: Comparison) -> Comparison:
    """Remove new findings, which are shown with their lines."""
    return structs.replace(change, deals=[structs.replace(deal, new=[]) for deal in change.deals])


def nothing_recorded(source: str, lang: str) -> str:
    """Return the sentence for a file that was rejected as a whole."""
    shown = label(lang, "import.standard_input") if source == FROM_STANDARD_INPUT else source
    return label(lang, "import.nothing", source=shown)
