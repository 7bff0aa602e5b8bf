"""The first page: a real deal to step through at once, and the ways in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ledger.log.base import StreamHead
from ledger.table.fold import TableFold
from ledger.table.repository import TABLE_PREFIX, slug_of
from ledger.text.site.first_deal import FirstDeal, first_deal, last_over
from ledger.web.http.auth import NOBODY
from ledger.web.http.request import Asked
from ledger.web.http.routing import Answer, page
from ledger.web.pages.evenings import titled
from ledger.web.pages.forms import may_open
from ledger.web.pages.frame import frame_of, html
from ledger.web.pages.shown_tables import newest_first, sound_table

_FAMOUS: Final = "rape-of-the-lock"
_FAMOUS_STEP: Final = 34

_TRIED: Final = 20
"""In so many tables a deal that is over is looked for; on an evening there is one sooner."""


@page("/", "none")
def home(asked: Asked) -> Answer:
    """What the club keeps here, and the ways in; of the record only what whoever asks may see."""
    grant = asked.grant
    if grant is NOBODY:
        return html(asked, "home-closed.html")
    heads = newest_first(asked)
    return html(
        asked,
        "home.html",
        deal=_deal_to_show(asked, heads),
        is_empty=not heads,
        may_open=may_open(grant),
        records=grant.at_least("recorder"),
        gives_codes=grant.at_least("admin"),
    )


def _deal_to_show(asked: Asked, heads: Sequence[StreamHead]) -> FirstDeal | None:
    """The famous one where there is it, as in the demonstration; else the last one that is over."""
    look = frame_of(asked).look
    for head in heads:
        if head.stream == TABLE_PREFIX + _FAMOUS:
            famous = sound_table(asked, head)
            deal = None if famous is None else first_deal(_FAMOUS, _FAMOUS, famous, 1, look, step=_FAMOUS_STEP)
            if deal is not None:
                return deal
    for head, fold in _played_last(asked, heads):
        number = last_over(fold)
        if number is not None:
            slug = slug_of(head.stream)
            return first_deal(slug, titled(asked, slug, fold.opened.session), fold, number, look)
    return None


def _played_last(asked: Asked, heads: Sequence[StreamHead]) -> Iterator[tuple[StreamHead, TableFold]]:
    for head in sorted(heads, key=lambda one: one.last_position, reverse=True)[:_TRIED]:
        fold = sound_table(asked, head)
        if fold is not None:
            yield head, fold
