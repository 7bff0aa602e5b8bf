"""Tables as pages show them: with the names that are shown for players, each read once for who sees the same."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial

from ledger import api
from ledger.errors import SkippingDamage
from ledger.log.base import StreamHead
from ledger.table.fold import TableFold
from ledger.table.listing import TableListed
from ledger.table.repository import TABLE_PREFIX, TableAsRead, slug_of
from ledger.table.score import points_by_player
from ledger.text.site.listing import Standing, TableLine, fits, game_title
from ledger.text.site.titles import table_title
from ledger.web.api.tables import listed
from ledger.web.http.reading import seen, view_of
from ledger.web.http.request import Asked
from ledger.web.pages.evenings import evening_title


def newest_first(asked: Asked) -> Sequence[StreamHead]:
    """The tables that there are for whoever asks, the one that was opened last first."""
    return list(reversed(seen(asked).streams(TABLE_PREFIX)))


def table_shown(asked: Asked, head: StreamHead) -> TableFold:
    """The table as whoever asks may see it, with the names that are shown."""
    eyes = view_of(asked) if head.stream in asked.horizon.hidden else None
    key = ("shown", head.stream, head.version, eyes, asked.horizon.names)
    read: TableAsRead | None = asked.service.folds.get(key)
    if read is None:
        store = seen(asked)
        read = next(api.read_tables(store, slug_of(head.stream), names=store.display_names()))
        asked.service.folds.keep(key, read, len(read.fold.recorded))
    return read.fold


def sound_table(asked: Asked, head: StreamHead) -> TableFold | None:
    """Return the table as `table_shown`; None for a damaged one."""
    with SkippingDamage():
        return table_shown(asked, head)
    return None


def line_of(asked: Asked, head: StreamHead) -> TableLine:
    """The table in a list."""
    fold, slug = sound_table(asked, head), slug_of(head.stream)
    if fold is None:
        return TableLine(
            table=slug, title=slug, game="", standings=(), deals=0, session=None, evening="", is_open=False,
            is_damaged=True,
        )  # fmt: skip
    session = fold.opened.session
    evening = evening_title(seen(asked), session)
    return TableLine(
        table=slug,
        title=table_title(slug, session, evening, asked.lang),
        game=game_title(fold.game.name, asked.lang),
        standings=[Standing(one.player, one.points) for one in points_by_player(fold)],
        deals=len(fold.deals),
        session=session,
        evening=evening or session or "",
        is_open=not fold.is_closed,
    )


def found(asked: Asked, query: str, game: str, session: str | None = None) -> list[StreamHead]:
    """The tables with all words of a query in the name of a table, an evening or a player, the newest first."""
    heads = newest_first(asked)
    if not query.strip() and not game and session is None:
        return list(heads)
    store = seen(asked)
    rows = zip(heads, listed(asked, store, heads), strict=True)
    of_these = [(head, row) for head, row in rows if game in ("", row.game) and session in (None, row.session)]
    if not query.strip():
        return [head for head, _ in of_these]
    names, evening = store.display_names(), cache(partial(evening_title, store))
    return [head for head, row in of_these if fits(query, _texts(row, names, evening(row.session)))]


def _texts(row: TableListed, names: dict[str, str], evening: str | None) -> list[str]:
    return [row.table, row.session or "", evening or "", *(names.get(player, player) for player in row.players)]
