"""Make the page of a deal at one step, from the fold of its table as the viewer may see it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from typing import Final

from markupsafe import Markup
from msgspec import Struct

from ledger.events import CardsDealt, RulingGiven
from ledger.table.answers import DealScore, ScoreAnswer
from ledger.table.disputes import disputes_of
from ledger.table.fold import DealRecord, TableFold
from ledger.table.repository import TableAsRead
from ledger.table.score import score_answer
from ledger.table.seat_knowledge import seen_by
from ledger.table.steps import ReplayStep, no_such_step, replay_steps
from ledger.table.two_readings import corrected_steps
from ledger.text.catalogue import title_of, written_wording_for
from ledger.text.deal import contract_facts, plays_text
from ledger.text.pictures.moment import Moment, moments
from ledger.text.pictures.table import table_svg
from ledger.text.site.cards import Preferences, aria_text
from ledger.text.site.catalogue import say
from ledger.text.site.frame import Frame, page_of
from ledger.text.site.replay.course import Course, course_of, describe_step
from ledger.text.site.replay.findings import DecisionView, FindingView, Mark, decisions_of, findings_of
from ledger.text.site.replay.knowledge import Knowledge, knowledge_of
from ledger.text.site.replay.navigation import (
    MoveName,
    Moves,
    Rights,
    ViewOptions,
    moves_from,
    stops_of,
    target_step,
    view_options_of,
)
from ledger.text.site.replay.table_page import Score, is_being_played, score_of
from ledger.text.site.replay.viewpoint import Link, Viewpoint


class ExportLinks(Struct, frozen=True, kw_only=True):
    """Addresses and files to take away. `link`, `embed`, `cases`: paths without the service's origin."""

    link: str
    embed: str | None
    cases: Sequence[Link]
    downloads: Sequence[Link]


class Replay(Struct, frozen=True, kw_only=True):
    """The page of a deal at one step.

    `lead`: parts of the line below the title. `step_text`: the sentences of the step. `aria_text`: the same for screen
    readers. `at`: the viewpoint. `steps`: the address of a step with the placeholder `{step}`. `turned`: the address
    with the next seat at the bottom. `notes`: what is hidden or not read. `is_open`: the deal is being played.
    `goes_on`: no deal follows and the table is open. `known`: what the viewing seat had seen. `dispute`: the
    address of the form that disputes this step; None if the reader may not. `for_director`: to rule and to correct.
    """

    title: str
    page_title: str
    lead: Sequence[str]
    deal: int
    step: int
    last: int
    step_text: str
    aria_text: str
    moment: Moment
    moves: Moves
    marks: Sequence[Mark]
    at: Viewpoint
    steps: str
    turned: str
    notes: Sequence[str]
    findings: Sequence[FindingView]
    decisions: Sequence[DecisionView]
    choices: ViewOptions
    course: Course
    score: Score | None
    saved: ExportLinks
    before: Link | None
    after: Link | None
    is_open: bool
    goes_on: bool
    known: Knowledge | None = None
    dispute: str | None = None
    for_director: Sequence[Link] = ()


class RenderedReplay(Struct, frozen=True):
    """The rendered content of a replay, and the title of its page. All texts in the content are escaped."""

    title: str
    content: Markup


def replay_part(shown: Replay, frame: Frame, origin: str, position: int | None) -> RenderedReplay:
    """Render a replay. `origin`: the service's origin, for addresses to copy.

    `position`: the position of the log from which the page listens; None if no more events will come.
    """
    content = page_of(
        "replay/embedded.html" if shown.at.is_embedded else "replay/whole.html",
        frame,
        shown=shown,
        picture=Markup(table_svg(shown.moment, is_whole_file=False)),
        origin=origin,
        position=position,
    )
    return RenderedReplay(shown.page_title, Markup(content))


STEP_SIGN: Final = "{step}"


def replay_of(read: TableAsRead, at: Viewpoint, step: int | None, reader: Preferences, rights: Rights) -> Replay:
    """Return the page after `step` actions, by default after the last. Raise `NotFoundError` for an unknown step."""
    return ReplayBuilder(read, at, reader, rights).page(step)


def step_after(read: TableAsRead, at: Viewpoint, step: int, to: MoveName, reader: Preferences) -> int:
    """Return the step that a button leads to."""
    replaying = ReplayBuilder(read, at, reader, Rights())
    return target_step(to, step, stops_of(replaying.moments), replaying.marks())


def default_step(read: TableAsRead, at: Viewpoint, reader: Preferences) -> int:
    """Return the step to show first: the last during play, else the step at which the cards are dealt."""
    replaying = ReplayBuilder(read, at, reader, Rights())
    if replaying.is_open:
        return replaying.moments[-1].step
    return next((one.step for one in replaying.moments if isinstance(one.event, CardsDealt)), 0)


class ReplayBuilder:
    """Builder of the pages of one deal from one viewpoint; the work for all steps is done once."""

    def __init__(self, read: TableAsRead, at: Viewpoint, reader: Preferences, rights: Rights) -> None:
        self.fold: TableFold = read.fold
        self.record: DealRecord = read.fold.deal(at.deal)
        self.slug = read.slug
        self.at = at
        self.lang = lang = reader.lang
        self.rights = rights
        self.wording = written_wording_for(self.fold.game, lang)
        self.steps: list[ReplayStep] = list(replay_steps(self.fold, at.deal, at.seat))
        self.moments: list[Moment] = list(
            moments(self.fold, at.deal, lang, seat=at.seat, below=at.below, letters=reader.letters, steps=self.steps)
        )
        self.step_of = {one.version: one.step for one in reversed(self.steps) if one.version is not None}

    @property
    def is_last_deal(self) -> bool:
        return self.fold.deals[-1].number == self.record.number

    def marks(self) -> Sequence[Mark]:
        """Return the marks of the findings on the slider."""
        return findings_of(self.fold, self.record, self.steps, self._link, -1, self.at.seat, self.lang).marks

    def page(self, requested_step: int | None) -> Replay:
        """Return the page of a step, by default of the last. Raise `NotFoundError` if there is no such step."""
        last = self.moments[-1].step
        step = last if requested_step is None else requested_step
        if step > last:
            raise no_such_step(self.record.number, step, 0, last)
        is_seen, moment = self.at.seat is not None, self.moments[step]
        known = step + 1 if is_seen else last + 1
        link = partial(self._link, here=step)
        findings = findings_of(self.fold, self.record, self.steps[:known], link, step, self.at.seat, self.lang)
        title = self._title()
        answer = self._answer
        score = next(one for one in answer.deals if one.deal == self.record.number)
        step_text = describe_step(moment, self.steps[step - 1].view if step else None)
        return Replay(
            title=title,
            page_title=say(self.lang, "replay.page_title", deal=title, step=step),
            lead=list(self._lead(moment if is_seen else self.moments[-1])),
            deal=self.record.number,
            step=step,
            last=last,
            step_text=step_text,
            aria_text=aria_text(step_text, self.lang, moment.letters),
            moment=moment,
            moves=moves_from(step, stops_of(self.moments), findings.marks),
            marks=findings.marks,
            at=self.at,
            steps=self.at.step_address(STEP_SIGN).replace("%7Bstep%7D", STEP_SIGN),
            turned=self.at.with_seat_below((moment.below + 1) % len(moment.players)).step_address(step),
            notes=list(self._notes()),
            findings=findings.findings,
            decisions=[]
            if is_seen
            else list(decisions_of(self.fold, self.record, score, link, self._links_of, self.lang)),
            choices=view_options_of(self.record.players, self.at, self.rights, self.lang),
            course=course_of(
                self.moments[:known], self.at, step, findings.kinds, corrected_steps(self.fold, self.record)
            ),
            score=None if is_seen else self._score(answer, score),
            saved=self._saved(step),
            before=self._neighbour(-1),
            after=self._neighbour(1),
            is_open=self.is_open,
            goes_on=self.is_last_deal and not self.fold.is_closed,
            known=None if self.at.seat is None else self._known(step, self.at.seat),
            for_director=list(self._for_director(step)) if self.rights.cases is None and not is_seen else (),
            dispute=self.at.dispute_address(step=step)
            if self.rights.disputes and self.at.reading == "corrected"
            else None,
        )

    def _known(self, step: int, seat: int) -> Knowledge | None:
        seen = seen_by(self.fold, self.record, self.steps[: step + 1], seat)
        return knowledge_of(seen, seat, self.record.players, self.wording)

    @property
    def is_open(self) -> bool:
        return is_being_played(self.fold, self.record)

    def _link(self, text: str, version: int, here: int = -1) -> Link:
        step = self.step_of.get(version)
        return Link(text) if step is None else Link(text, self.at.step_address(step), step == here)

    @cached_property
    def _answer(self) -> ScoreAnswer:
        return score_answer(self.slug, self.fold, self.lang, is_written=True)

    def _title(self) -> str:
        title = say(self.lang, "replay.deal_of", table=self.at.display_title, deal=self.record.number)
        if self.at.seat is None:
            return title
        return say(self.lang, "replay.as_seen_by", deal=title, name=self.record.players[self.at.seat])

    def _lead(self, moment: Moment) -> Iterator[str]:
        """Yield the game, the dealer, and the contract as far as it is known at this moment."""
        say_of = self.wording.say
        direction = "replay.to_the_right" if self.fold.game.goes_to_the_right else "replay.to_the_left"
        game = title_of(self.fold.game, self.lang)
        yield say(self.lang, "replay.in_direction", game=game, direction=say(self.lang, direction))
        yield say_of("event.deals", name=self.record.players[self.record.dealer])
        facts = contract_facts(moment.view, moment.view.partner, moment.players, self.wording)
        yield from plays_text(facts, self.wording)
        if "trumps" in facts:
            yield say_of("replay.trumps", trumps=facts["trumps"])
        if "partner" in facts:
            yield say_of("replay.partner", name=facts["partner"])

    def _notes(self) -> Iterator[str]:
        if self.at.seat is not None:
            yield say(self.lang, "replay.seen_note", name=self.record.players[self.at.seat])
        elif self.is_open:
            yield say(self.lang, "replay.open_note")
        elif self.rights.seats is not None:
            yield say(self.lang, "replay.waits_note")
        if self.at.reading == "recorded":
            yield say(self.lang, "replay.not_read")

    def _for_director(self, step: int) -> Iterator[Link]:
        """Yield the links to a ruling on the deal, about this act, and to its entries."""
        version = self.steps[step].version
        about = "" if version is None else f"?about={version}"
        at = f"/t/{self.slug}/{self.record.number}"
        yield Link(say(self.lang, "entries.rule_link"), f"{at}/ruling{about}")
        yield Link(say(self.lang, "entries.link"), f"{at}/entries")

    def _links_of(self, dispute: int) -> Iterator[Link]:
        """Yield the links to the case of a dispute and to its withdrawal, or to an appeal against a ruling, as far as
        the reader may use them.
        """
        if isinstance(dict(self.fold.recorded).get(dispute), RulingGiven):  # some versions are no part of a reading
            if self.rights.disputes:
                yield Link(say(self.lang, "dispute.appeal"), self.at.dispute_address(about=dispute))
            return
        if self._may_read_case(dispute):
            yield Link(say(self.lang, "replay.case"), self._case_address(dispute))
        if dispute in self.rights.withdraws:
            yield Link(say(self.lang, "replay.withdraw"), f"/t/{self.slug}/disputes/{dispute}/withdraw")

    def _may_read_case(self, dispute: int) -> bool:
        return self.rights.cases is None or dispute in self.rights.cases

    def _case_address(self, dispute: int) -> str:
        return f"/t/{self.slug}/disputes/{dispute}"

    def _cases(self) -> Iterator[Link]:
        """Yield the addresses of the case sheets that the reader may pass on."""
        for one in disputes_of(self.fold):
            if one.deal == self.record.number and self._may_read_case(one.version):
                text = say(self.lang, "replay.case_link", version=one.version)
                yield Link(text, self._case_address(one.version))

    def _score(self, answer: ScoreAnswer, score: DealScore) -> Score | None:
        """Return the score of the deal; None during play, and while the result depends on hidden cards."""
        if self.record.status == "open":
            return None
        closing = answer.closing if self.is_last_deal else None
        return score_of(self.fold, self.record, score, closing, self.moments[-1].view, self.wording)

    def _saved(self, step: int) -> ExportLinks:
        at = self.at
        is_for_all = at.seat is None
        files = (
            ("replay.hand_record", at.api_address(".toml")),
            ("replay.json", at.api_address(f"/steps/{step}")),
            ("replay.svg", at.picture_address(step, "svg")),
            ("replay.png", at.picture_address(step, "png")),
        )
        return ExportLinks(
            link=at.shared(is_hidden=self.rights.seats is not None).step_address(step),
            embed=at.embedded().step_address(step) if is_for_all else None,
            cases=list(self._cases()) if is_for_all else (),
            downloads=[Link(say(self.lang, key), address) for key, address in files],
        )

    def _neighbour(self, way: int) -> Link | None:
        numbers = [record.number for record in self.fold.deals]
        place = numbers.index(self.record.number) + way
        if not 0 <= place < len(numbers):
            return None
        return Link(say(self.lang, "replay.deal_number", deal=numbers[place]), self.at.deal_address(numbers[place]))
