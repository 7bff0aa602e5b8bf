"""The facts of a case: the question, the picture of it, the rules, the score and what was decided."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from markupsafe import Markup
from msgspec import Struct, structs

from ledger.cards import UNKNOWN
from ledger.cases.facts import CaseSheet, InQuestion, LogEntry, ScoreOnBasis
from ledger.cases.sheet import question_about, scores_by_basis
from ledger.events import CardPlayed, RulingGiven
from ledger.table.corrections import Signature
from ledger.table.disputes import Dispute
from ledger.table.repository import TableAsRead
from ledger.table.score import score_answer
from ledger.text.cards import signed_amount
from ledger.text.case import legal_text, question_title, recorded_as, result_seen, state_text
from ledger.text.catalogue import Wording, written_wording_for
from ledger.text.disputes import Amendments
from ledger.text.pictures.table import table_svg
from ledger.text.site.cards import Preferences
from ledger.text.site.catalogue import say
from ledger.text.site.replay.findings import DecisionView, FindingView, ruling_views
from ledger.text.site.replay.navigation import Rights
from ledger.text.site.replay.replay_page import ReplayBuilder
from ledger.text.site.replay.table_page import Score
from ledger.text.site.replay.viewpoint import Link, Viewpoint
from ledger.text.site.rulebook import CitedRule, rule_of


class ScoreLine(Struct, frozen=True, kw_only=True):
    """The deal's score on one basis: amounts by seat, the pool and the result."""

    name: str
    amounts: Sequence[str]
    pool: str
    result: str


class Question(Struct, frozen=True, kw_only=True):
    """The act in question. `legal`: what could lawfully have been done, if the text of the step does not say it.

    `broken`, `rules`: the broken rules, and the others that apply.
    """

    title: str
    recorded_as: str
    legal: str
    broken: Sequence[CitedRule]
    rules: Sequence[CitedRule]


class CasePage(Struct, frozen=True, kw_only=True):
    """The facts of a case. Without a dispute `dispute` is None, and `rests_on` is empty.

    `quote`: the text of the dispute. `state`: its state, who raised it, and what it is about. `is_open`: the deal is
    being played. `findings`: those about the act in question,
    `others` the rest of the deal. `appealed`: the ruling that an appeal is against. `decided`: whether a ruling is in
    force. `links`: to other views of the deal.
    """

    title: str
    lead: Sequence[str]
    dispute: Dispute | None
    quote: str
    state: str
    is_open: bool
    step_text: str
    picture: Markup
    question: Question | None
    findings: Sequence[FindingView]
    others: Sequence[FindingView]
    rulings: Sequence[DecisionView]
    appealed: DecisionView | None
    decided: bool
    score: Score | None
    bases: Sequence[ScoreLine]
    players: Sequence[str]
    has_pool: bool
    rests_on: Sequence[LogEntry]
    links: Sequence[Link]
    rules: Sequence[str]


def case_page_of(
    read: TableAsRead,
    at: Viewpoint,
    reader: Preferences,
    rights: Rights,
    *,
    sheet: CaseSheet | None = None,
    about: int | None = None,
    signed: Mapping[int, Signature],
) -> CasePage:
    """Return the facts of the dispute of a case sheet, or about a deal without a dispute.

    `about`: the entry in question, by default the first one with an error. `signed`: the author and time of entries.
    """
    fold, record, lang = read.fold, read.fold.deal(at.deal), reader.lang
    wording = written_wording_for(fold.game, lang)
    in_question = question_about(about, fold, record, lang) if sheet is None else sheet.in_question
    builder = ReplayBuilder(read, at, reader, rights)
    shown = builder.page(None if in_question is None else in_question.step)
    dispute = None if sheet is None else sheet.dispute
    here = [one for one in shown.findings if in_question is not None and one.is_here]
    scores = scores_by_basis(read.slug, fold, record, lang) if sheet is None else sheet.scores
    score = score_answer(read.slug, fold, lang, deal=record.number, is_written=True).deals[0]
    rulings = dict(ruling_views(fold, record, score, signed, None if sheet is None else sheet.zone, lang))
    in_force = {one.version for one in score.rulings if one.in_force}
    appeals = None if dispute is None else dispute.appeals
    return CasePage(
        title=shown.title,
        lead=shown.lead,
        dispute=dispute,
        quote="" if dispute is None else quoted(dispute.text, lang),
        state="" if dispute is None else state_text(dispute, lang),
        is_open=shown.is_open,
        step_text=shown.step_text,
        picture=Markup(table_svg(shown.moment, is_whole_file=False)),
        question=None
        if in_question is None
        else _question(in_question, read, record.players, wording, is_lit=shown.moment.highlight is not None),
        findings=here,
        others=[one for one in shown.findings if one not in here],
        rulings=[
            structs.replace(one, links=[Link(say(lang, "dispute.appeal"), at.dispute_address(about=version))])
            if rights.disputes and version in in_force
            else one
            for version, one in rulings.items()
        ],
        appealed=None if appeals is None else rulings.get(appeals),
        decided=bool(in_force),
        score=shown.score,
        bases=[_score_line(one, wording) for one in scores],
        players=record.players,
        has_pool=any(one.pool_after for one in scores),
        rests_on=() if sheet is None else sheet.rests_on,
        links=list(_links(at, shown.step, dispute, lang, may_correct=rights.cases is None)),
        rules=list(_rules(shown.findings, in_question)),
    )


def quoted(text: str, lang: str) -> str:
    """Return the text of a dispute in quotation marks, or that it is hidden while its deal is open."""
    return say(lang, "case.hidden_text") if text == UNKNOWN else say(lang, "case.quoted", text=text)


def _question(
    question: InQuestion, read: TableAsRead, players: Sequence[str], wording: Wording, *, is_lit: bool
) -> Question:
    """Return the question. `is_lit`: the text of the step already names what was lawful.

    Where the hand is unknown, any card might have been lawful, and none is listed.
    """
    amendments = Amendments(wording, read.fold.signed)
    event, is_known = question.event, True
    if isinstance(event, CardPlayed):
        hand = question.hands_before[event.seat]
        is_known = bool(hand) and UNKNOWN not in hand
    is_listed = bool(question.legal) and is_known and not is_lit
    return Question(
        title=question_title(question, wording.lang),
        recorded_as=recorded_as(question, amendments, players) or "",
        legal=legal_text(question, wording) if is_listed else "",
        broken=[rule_of(read.fold.game, one.rule, wording.lang) for one in question.why if one.is_broken],
        rules=[rule_of(read.fold.game, one.rule, wording.lang) for one in question.why if not one.is_broken],
    )


def _score_line(seen: ScoreOnBasis, wording: Wording) -> ScoreLine:
    return ScoreLine(
        name=wording.say(f"case.basis_{seen.basis}"),
        amounts=[] if seen.deltas is None else list(map(signed_amount, seen.deltas)),
        pool="–" if seen.pool_after is None else str(seen.pool_after),
        result=result_seen(seen, wording),
    )


def _links(at: Viewpoint, step: int, dispute: Dispute | None, lang: str, *, may_correct: bool) -> Iterator[Link]:
    yield Link(say(lang, "case.replay_from_here"), at.step_address(step))
    yield Link(say(lang, "case.both_readings"), at.readings_address)
    if may_correct:
        yield Link(say(lang, "entries.link"), f"/t/{at.table}/{at.deal}/entries")
    if dispute is not None:
        sheet = f"/api/v1/tables/{at.table}/disputes/{dispute.version}/case"
        yield Link(say(lang, "case.whole_sheet"), sheet)


def _rules(findings: Sequence[FindingView], question: InQuestion | None) -> Iterator[str]:
    """Yield the rules that a ruling may rest on, each once."""
    cited = [rule.id for one in findings for rule in (one.code, one.against) if rule is not None and rule.address]
    why = [] if question is None else [one.rule for one in question.why]
    yield from dict.fromkeys([*cited, *why])


def rulings_since(
    read: TableAsRead, deal: int, version: int, signed: Mapping[int, Signature], zone: str | None, lang: str
) -> Sequence[DecisionView]:
    """Return the rulings on a deal that were recorded after a version of the table, as `ruling_views`."""
    fold, record = read.fold, read.fold.deal(deal)
    newer = {at for at, event in fold.recorded if at > version and isinstance(event, RulingGiven)}
    score = score_answer(read.slug, fold, lang, deal=deal, is_written=True).deals[0]
    return [view for at, view in ruling_views(fold, record, score, signed, zone, lang) if at in newer]
