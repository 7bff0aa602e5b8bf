"""What was found in hand records: what one would come to, and where two of one table part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ledger.games import game_named
from ledger.recording.hand.checking import FindingInFile, HandRecordCheck
from ledger.recording.hand.comparison import ActTold, DealOfTwo, TablesCompared
from ledger.table.answers import DealScore
from ledger.text.audit import finding_text, gathered_within
from ledger.text.cards import amounts_text, legal_value, standing_text
from ledger.text.events import event_text
from ledger.text.words import Wording, counted, label, title_of, wording_for


def check_text(answer: HandRecordCheck, lang: str) -> Iterator[str]:
    """What would be recorded, deal by deal, then what is against the rules, each with line and word."""
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
    totals = standing_text(score.totals, score.players, answer.points, lang)
    yield "  " + label(lang, "check.totals", amounts=totals)
    if not answer.findings:
        yield label(lang, "check.nothing")
    for slip in answer.slips:
        yield slip.message
    for found in gathered_within(answer.findings, lang):
        yield from _finding(answer.source, found, wording)


def _finding(source: str, found: FindingInFile, wording: Wording) -> Iterator[str]:
    key = "check.at_line" if found.word is None else "check.at_word"
    yield wording.say(key, source=source, line=found.line, word=found.word)
    yield f"  {finding_text(found.finding, wording.lang)}"
    if found.finding.legal:
        legal = "  ".join(legal_value(value, wording) for value in found.finding.legal)
        yield f"  {wording.say('audit.legal', values=legal)}"


def comparison_text(answer: TablesCompared, lang: str) -> Iterator[str]:
    """Where two tables part, deal by deal, and what each comes to."""
    wording = wording_for(game_named(answer.game), lang)
    if not (answer.deals or answer.top):
        yield label(lang, "compare.same", first=answer.first, second=answer.second)
        return
    for field in answer.top:
        yield label(lang, f"compare.other_{field}")
    for deal in answer.deals:
        yield from _deal(answer, deal, wording)


def _deal(answer: TablesCompared, deal: DealOfTwo, wording: Wording) -> Iterator[str]:
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


def _act(source: str, act: ActTold | None, players: Sequence[str], wording: Wording) -> str:
    if act is None:
        return wording.say("compare.says_no_more", source=source)
    told = event_text(act.event, players, wording)
    if act.line is None:
        return wording.say("compare.at_entry", source=source, version=act.version, event=told)
    key = "compare.at_line" if act.word is None else "compare.at_word"
    return wording.say(key, source=source, line=act.line, word=act.word, event=told)


def _score(deal: DealScore, players: Sequence[str], wording: Wording) -> str:
    amounts = amounts_text(deal.deltas, players, wording.lang)
    return wording.say("check.score", status=wording.word(deal.status), amounts=amounts)
