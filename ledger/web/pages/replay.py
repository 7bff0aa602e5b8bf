"""A deal, step by step, in a browser: the whole page, a part of it for a page that is open, and one for a frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal
from urllib.parse import parse_qsl

from msgspec import Meta, Struct, structs

from ledger.events import DisputeRaised, Slug
from ledger.table.repository import TABLE_PREFIX, TableAsRead
from ledger.table.steps import seat_named
from ledger.text.site.replay.choosing import BOTH, Rights
from ledger.text.site.replay.drawing import Part, replay_part
from ledger.text.site.replay.moves import To
from ledger.text.site.replay.replaying import first_shown, replay_of, step_after
from ledger.text.site.replay.viewpoint import LAST, Reading, Viewpoint
from ledger.web.api.cases import is_raised_by
from ledger.web.api.corrections import may_withdraw
from ledger.web.http.auth import is_https
from ledger.web.http.numbers import number_of
from ledger.web.http.reading import TableReading, check_seat, eyes_of, read_table, seen
from ledger.web.http.request import Asked
from ledger.web.http.routing import Answer, page
from ledger.web.pages.evenings import titled
from ledger.web.pages.frame import elsewhere, frame_of, html
from ledger.web.pages.preferences import reader_of
from ledger.web.pages.seat_below import own_seat

PART: Final = "hx-request"

_EMBED: Final = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors *",
    "cross-origin-resource-policy": "cross-origin",
}
"""As of every page, but that any other may have it in a frame: it shows what everybody may see, and changes nothing."""

Step = Annotated[int, Meta(ge=0)]


class EmbedAsked(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`below`: who sits at the bottom. `to`: a button that was pressed; `step`: where the slider stood."""

    reading: Literal["corrected", "recorded"] = "corrected"
    as_of: str | None = None
    without_rulings: bool = False
    below: str | None = None
    to: To | Literal["step"] | None = None
    step: Step | None = None


class ReplayAsked(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The same; `reading` may be both, side by side, and `seat` is who looks."""

    reading: Literal["corrected", "recorded", "both"] = "corrected"
    as_of: str | None = None
    without_rulings: bool = False
    seat: str | None = None
    below: str | None = None
    to: To | Literal["step"] | None = None
    step: Step | None = None


@page("/t/{table}/{deal}", "viewer", query=ReplayAsked, rests_on="table", problems=("not_found",))
def deal(asked: Asked, table: Slug, deal: str) -> Answer:
    """A deal where it is best begun: one that is being played at its last step, any other when its cards are dealt."""
    read, at = looked_at(asked, table, deal)
    if asked.query.reading == BOTH:
        return elsewhere(at.both_readings)
    return _page(asked, read, at, first_shown(read, at, reader_of(asked)))


@page("/t/{table}/{deal}/{step}", "viewer", query=ReplayAsked, rests_on="table", problems=("not_found",))
def deal_at_step(asked: Asked, table: Slug, deal: str, step: str) -> Answer:
    """A deal at one step, or at the `last`."""
    read, at = looked_at(asked, table, deal)
    if asked.query.reading == BOTH:
        return elsewhere(at.both_readings)
    return _page(asked, read, at, None if step == LAST else number_of(step, "step"))


@page("/embed/{table}/{deal}/{step}", "viewer", query=EmbedAsked, rests_on="table", problems=("not_found",))
def embed(asked: Asked, table: Slug, deal: str, step: str) -> Answer:
    """A deal at one step for a frame in another page: what everybody may see, whoever asks, and nothing about him."""
    asked = structs.replace(asked, grant=structs.replace(asked.grant, hands=False, seat=None, token="", name=None))
    read, at = looked_at(asked, table, deal)
    lang = [] if asked.told_lang is None else [("lang", asked.told_lang)]  # no cookie keeps it there
    at = structs.replace(at, is_embedded=True, others=[*at.others, *lang])
    answer = _page(asked, read, at, None if step == LAST else number_of(step, "step"))
    return structs.replace(answer, headers={**answer.headers, **_EMBED}, cookies=())


def looked_at(asked: Asked, table: Slug, deal: str) -> tuple[TableAsRead, Viewpoint]:
    """The table as it is asked for, and how the deal is looked at. A form sends no choice as an empty text.

    A reader with a seat at the table has it below. While the hands are hidden, they see what that seat sees unless the
    address of a page names another or, by an empty text, none.
    """
    query = asked.query
    number = number_of(deal, "deal")
    own = _own_seat(asked, table) if isinstance(query, ReplayAsked) else None
    sees_own = own is not None and _is_hidden(asked, table, number)
    seat = getattr(query, "seat", None)
    seat = str(own) if seat is None and sees_own else seat or None
    below = query.below or (str(own) if own is not None and not sees_own and seat is None else None)
    reading: Reading = "recorded" if query.reading == "recorded" else "corrected"
    plain = TableReading(
        reading=reading, as_of=query.as_of, seat=seat, without_rulings=query.without_rulings
    )  # fmt: skip
    reading_it = structs.replace(asked, query=plain)
    check_seat(reading_it, table, number)
    read = read_table(reading_it, table, is_shown=True)
    players = read.fold.deal(number).players
    at = Viewpoint(
        table=read.slug,
        deal=number,
        seat=seat_named(players, number, seat),
        below=seat_named(players, number, below),
        reading=reading,
        others=others_of(query),
        title=titled(asked, read.slug, read.fold.opened.session),
        is_seated=sees_own,
    )
    return read, at


def _is_hidden(asked: Asked, table: Slug, deal: int) -> bool:
    hidden = asked.horizon.hidden.get(TABLE_PREFIX + table)
    return hidden is not None and deal >= hidden.deal


def _own_seat(asked: Asked, table: Slug) -> int | None:
    if asked.grant.seat is None:
        return None
    plain = read_table(structs.replace(asked, query=TableReading()), table)
    return own_seat(asked.grant, plain.slug, len(plain.fold.players))


def others_of(query: Any) -> Sequence[tuple[str, str]]:
    told = [] if query.as_of is None else [("as_of", query.as_of)]
    return [*told, *([("without_rulings", "true")] if query.without_rulings else [])]


def _page(asked: Asked, read: TableAsRead, at: Viewpoint, step: int | None) -> Answer:
    """The page at a step, or where a form leads: to an address that says no more than it must."""
    query, reader = asked.query, reader_of(asked)
    start = step if query.step is None else query.step
    if not _is_plain(asked, at):
        shown, to = replay_of(read, at, start, reader, rights_of(asked, read, at)).step, query.to
        return elsewhere(at.at(shown if to in (None, "step") else step_after(read, at, shown, to, reader)))
    part = _part(asked, read, at, start)
    if asked.headers.get(PART):
        return html(asked, "replay/part.html", part=part)
    return html(asked, "embed.html" if at.is_embedded else "replay.html", part=part)


def _part(asked: Asked, read: TableAsRead, at: Viewpoint, step: int | None) -> Part:
    """The part at a step, made once for all who watch a table."""
    reader, rights, origin = reader_of(asked), rights_of(asked, read, at), origin_of(asked)
    eyes, names = eyes_of(asked), asked.horizon.names
    key = ("replay", asked.rests_on, names, eyes, at.key, step, reader.lang, reader.letters, rights, origin)
    kept: Part | None = asked.service.kept.get(key)
    if kept is None:
        shown = replay_of(read, at, step, reader, rights)
        is_followed = shown.goes_on and asked.query.as_of is None
        kept = replay_part(shown, frame_of(asked), origin, asked.horizon.head.position if is_followed else None)
        if asked.rests_on:
            asked.service.kept.keep(key, kept, len(kept.content))
    return kept


def _is_plain(asked: Asked, at: Viewpoint) -> bool:
    """Whether the address says what is looked at and no more, in our own words: so a page has one address."""
    told = parse_qsl(asked.query_string.decode("ascii"), keep_blank_values=True)
    return sorted(one for one in told if one[0] != "lang") == sorted(one for one in at.fields if one[0] != "lang")


def rights_of(asked: Asked, read: TableAsRead, at: Viewpoint) -> Rights:
    """Whose eyes may be asked for: of a deal whose cards are hidden only those of his own seat."""
    grant = asked.grant
    cases, withdraws = _disputes_of(asked, read)
    if grant.hands or not _is_hidden(asked, at.table, at.deal):
        return Rights(cases=cases, withdraws=withdraws)
    own = own_seat(grant, at.table, len(read.fold.players))
    return Rights(seats=() if own is None else (own,), cases=cases, withdraws=withdraws)


def _disputes_of(asked: Asked, read: TableAsRead) -> tuple[frozenset[int] | None, frozenset[int]]:
    """The disputes whose case sheets they may read (None: all, for directors), and those that they may withdraw."""
    is_director = asked.grant.at_least("director")
    raised = [version for version, event in read.fold.recorded if isinstance(event, DisputeRaised)]
    if not raised:
        return None if is_director else frozenset(), frozenset()
    rows = seen(asked).read_stream(TABLE_PREFIX + read.slug)
    withdraws = frozenset(one for one in raised if may_withdraw(asked.grant, read.fold, rows, one))
    return None if is_director else frozenset(row.version for row in rows if is_raised_by(asked.grant, row)), withdraws


def origin_of(asked: Asked) -> str:
    """What stands before a path in an address that somebody takes away."""
    scheme = "https" if is_https(asked.service.settings, asked.scope, asked.headers) else "http"
    return f"{scheme}://{asked.headers.get('host') or ''}"
