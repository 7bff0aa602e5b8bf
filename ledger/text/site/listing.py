"""List tables on pages, and show a deal on the first page."""

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
"""Letters with strokes, which Unicode does not decompose."""


class PlayerTotal(Struct, frozen=True):
    """A player's shown name, and the points of the deals that they played."""

    name: str
    total: int


class TableListing(Struct, frozen=True, kw_only=True):
    """A table in a list. Of a damaged table only the slug is known.

    `table`, `session`: their slugs. `title`, `evening`: their titles. `game`: the title of the game.
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
    """Return a text for searching: case-folded, without accents and repeated blanks, wide letters as narrow ones."""
    decomposed = normalize("NFKD", text.casefold()).translate(_LETTERS)
    return " ".join("".join(sign for sign in decomposed if not combining(sign)).split())


def matches_query(query: str, texts: Iterable[str]) -> bool:
    """Return whether every word of the query occurs in one of the texts."""
    normalised_texts = [normalised(text) for text in texts]
    return all(any(one in text for text in normalised_texts) for one in normalised(query).split())


class FeaturedDeal(Struct, frozen=True, kw_only=True):
    """A deal at one step, for the first page.

    `declarer`: the name of the declarer. `actor`: the name of the player of this step. Both are empty if there is none.
    `is_famous`: this step is shown for its own sake.
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
    """Return the number of the table's last finished deal that has steps to replay, None if there is none."""
    over = [record for record in fold.deals if record.status != "open" and last_step(fold, record) > 2]
    return over[-1].number if over else None


def featured_deal(
    table: str, title: str, fold: TableFold, deal: int, preferences: Preferences, *, step: int | None = None
) -> FeaturedDeal | None:
    """Return a deal at a step (by default its last), None if the step does not exist. `title`: the table's title."""
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
