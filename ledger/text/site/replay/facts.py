"""What the page of a deal shows at one step: facts alone, every text in words already, nothing escaped yet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from ledger.text.pictures.moment import Moment
from ledger.text.site.replay.viewpoint import Viewpoint

Kind = Literal["fault", "remark"]


class Link(Struct, frozen=True):
    """A text that leads somewhere; `address` empty: it does not. `is_here`: it is what is shown."""

    text: str
    address: str = ""
    is_here: bool = False


class Linked(Struct, frozen=True, kw_only=True):
    """A sentence with links in its middle."""

    before: str
    links: Sequence[Link] = ()
    between: str = ""
    after: str = ""


class Row(Struct, frozen=True, kw_only=True):
    """What was done before the play, of one kind: its name, and each act with the step in which it was done."""

    name: str
    acts: Sequence[Link]


class Exchanged(Struct, frozen=True, kw_only=True):
    """One line of the exchange: who, the cards put aside and those drawn, as far as they are told."""

    who: Link
    count: str
    put_aside: str
    drew: str


class Laid(Struct, frozen=True, kw_only=True):
    """A card of a trick as the record names it, and its step.

    `kinds`: of what was found about it; `is_corrected`: a correction put it there.
    """

    card: str
    at: Link
    name: str
    took: bool
    kinds: Sequence[Kind] = ()
    is_corrected: bool = False


class Trick(Struct, frozen=True, kw_only=True):
    """`said`: what was announced after it, before the next one."""

    number: int
    cards: Sequence[Laid]
    said: Sequence[Link] = ()


class Course(Struct, frozen=True, kw_only=True):
    """The deal as a list. `said`: announced before the first trick. `columns`: cards in the widest trick."""

    rows: Sequence[Row]
    exchange: Sequence[Exchanged]
    said: Sequence[Link]
    tricks: Sequence[Trick]
    columns: int


class SuitKnown(Struct, frozen=True, kw_only=True):
    """The trumps or another suit: cards that had fallen, and those that somebody had not seen; empty where none."""

    name: str
    fallen: str
    unseen: str


class Knowledge(Struct, frozen=True, kw_only=True):
    """What somebody had seen. `answer`: whether trumps were out for him. `own`: his cards, by what became of them.

    `is_whole`: it can be told what he had not seen; `places`: where that may lie.
    """

    title: str
    answer: str
    own: Sequence[tuple[str, str]]
    suits: Sequence[SuitKnown]
    is_whole: bool
    places: str


class Mark(Struct, frozen=True):
    """A step on the slider at which something was found."""

    step: int
    kind: Kind


class Rule(Struct, frozen=True):
    """A rule by its id, where it can be read, and its own words, where the rulebook has it."""

    id: str
    address: str
    text: str | None = None


class Found(Struct, frozen=True, kw_only=True):
    """A finding. `code`: the irregularity; `against`: the rule that it breaks. `about`: what a ruling may rest on."""

    stamp: str
    is_fault: bool
    message: str
    code: Rule
    against: Rule | None
    entry: str
    at: Link | None
    about: Sequence[Linked] = ()
    is_here: bool = False


class Judged(Struct, frozen=True, kw_only=True):
    """A dispute, a ruling or a correction: a word for what it is, what it says, and what is to be said of it."""

    stamp: str
    text: str
    rule: Rule | None = None
    notes: Sequence[str] = ()
    links: Sequence[Link] = ()
    is_stale: str = ""


class Payment(Struct, frozen=True, kw_only=True):
    rule: Rule | None
    between: str
    amount: int
    text: str


class Standing(Struct, frozen=True, kw_only=True):
    """A line of figures by player; `pool` empty where there is none."""

    name: str
    figures: Sequence[str]
    pool: str = ""


class Score(Struct, frozen=True, kw_only=True):
    """What a deal came to: `title` with the result, every payment, then figures by player. `missing`: why none."""

    title: str
    players: Sequence[str]
    has_pool: bool
    payments: Sequence[Payment]
    standings: Sequence[Standing]
    missing: str | None = None


class Choice(Struct, frozen=True):
    """What may be chosen in a form."""

    value: str
    text: str
    is_chosen: bool


class Choices(Struct, frozen=True, kw_only=True):
    seats: Sequence[Choice]
    below: Sequence[Choice]
    readings: Sequence[Choice]


class Saved(Struct, frozen=True, kw_only=True):
    """What can be taken away. `link`, `embed`, `cases`: addresses without the name of the service before them."""

    link: str
    embed: str | None
    cases: Sequence[Link]
    downloads: Sequence[Link]


class Moves(Struct, frozen=True, kw_only=True):
    """Where the buttons lead, by steps; None: nowhere. `stops`: at which a trick is complete, and the ends."""

    trick_back: int | None
    back: int | None
    next: int | None
    trick_on: int | None
    stops: Sequence[int]
    finding: int | None


class Replay(Struct, frozen=True, kw_only=True):
    """The page of a deal at one step. `lead`: parts of the line below the title. `told`: the sentence of this step;
    `aloud`: the same read out.

    `at`: how it is looked at; `steps`: the address of a step, with `{step}` in it; `turned`: with the next seat below.
    `notes`: what is not sent, or not read. `is_open`: it is being played; `goes_on`: its table does, and no deal
    follows; `is_seen`: with the eyes of a seat; `known`: what that seat had seen.
    """

    title: str
    page_title: str
    lead: Sequence[str]
    deal: int
    step: int
    last: int
    told: str
    aloud: str
    moment: Moment
    moves: Moves
    marks: Sequence[Mark]
    at: Viewpoint
    steps: str
    turned: str
    notes: Sequence[str]
    found: Sequence[Found]
    judged: Sequence[Judged]
    choices: Choices
    course: Course
    score: Score | None
    saved: Saved
    before: Link | None
    after: Link | None
    is_open: bool
    goes_on: bool
    is_seen: bool
    known: Knowledge | None = None
