"""Tables in a list of the pages, and the deal that the first page shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final
from unicodedata import combining, normalize

from markupsafe import Markup
from msgspec import Struct

from ledger.errors import NotFoundError
from ledger.table.fold import TableFold
from ledger.table.steps import last_step
from ledger.text.pictures.moment import moment_at
from ledger.text.pictures.table import table_svg
from ledger.text.site.cards import Preferences
from ledger.text.site.catalogue import game_title
from ledger.text.site.replay.course import describe_step

_LETTERS: Final = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"})
"""What no decomposition takes the stroke from."""


class PlayerTotal(Struct, frozen=True):
    """A player by the name that is shown, and the points of the deals that they played."""

    name: str
    total: int


class TableListing(Struct, frozen=True, kw_only=True):
    """One table: `table`, `session` by their slugs, `title`, `evening` as they are called, `game` in words.

    Of a damaged table only the slug is known.
    """

    table: str
    title: str
    game: str
    totals: Sequence[PlayerTotal]
    deals: int
    session: str | None
    evening: str
    is_open: bool
    is_damaged: bool = False


@lru_cache(maxsize=100_000)
def normalised(text: str) -> str:
    """A text as it is searched: without case, accents and double blanks, wide letters as narrow ones."""
    decomposed = normalize("NFKD", text.casefold()).translate(_LETTERS)
    return " ".join("".join(sign for sign in decomposed if not combining(sign)).split())


def matches_query(query: str, texts: Iterable[str]) -> bool:
    """Whether every word of the query stands in one of the texts."""
    normalised_texts = [normalised(text) for text in texts]
    return all(any(one in text for text in normalised_texts) for one in normalised(query).split())


class FeaturedDeal(Struct, frozen=True, kw_only=True):
    """A deal at a step. `declarer`, `actor`: who plays, and who has done this step, empty where nobody.

    `is_famous`: it is shown for what happens at this step.
    """

    table: str
    title: str
    game: str
    deal: int
    step: int
    last: int
    description: str
    picture: Markup
    declarer: str
    actor: str
    is_famous: bool


def last_finished_deal(fold: TableFold) -> int | None:
    """The last deal of a table that is over; one without cards is nothing to step through."""
    over = [record for record in fold.deals if record.status != "open" and last_step(fold, record) > 2]
    return over[-1].number if over else None


def featured_deal(
    table: str, title: str, fold: TableFold, deal: int, preferences: Preferences, *, step: int | None = None
) -> FeaturedDeal | None:
    """The deal at a step, by default the last; None where it has no such step. `title`: of the table."""
    try:
        moment = moment_at(fold, deal, step, preferences.lang, letters=preferences.letters)
    except NotFoundError:
        return None
    players, view, played = moment.players, moment.view, moment.played
    return FeaturedDeal(
        table=table,
        title=title,
        game=game_title(fold.game.name, preferences.lang),
        deal=deal,
        step=moment.step,
        last=last_step(fold, fold.deal(deal)),
        description=moment.wording.cards(describe_step(moment, None)),
        picture=Markup(table_svg(moment, is_whole_file=False)),
        declarer="" if view.declarer is None else players[view.declarer],
        actor="" if played is None else players[played.seat],
        is_famous=step is not None and view.declarer is not None and played is not None,
    )
