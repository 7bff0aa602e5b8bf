"""The part of a replay's page that its frame stands around: the same for all who see alike and read alike."""

from __future__ import annotations

from markupsafe import Markup
from msgspec import Struct

from ledger.text.pictures.table import table_svg
from ledger.text.site.frame import Frame, page_of
from ledger.text.site.replay.facts import Replay


class Part(Struct, frozen=True):
    """`title`: of the page. `content`: with every text in it escaped."""

    title: str
    content: Markup


def replay_part(shown: Replay, frame: Frame, origin: str, position: int | None) -> Part:
    """Drawn and laid out. `origin`: what stands before a path in an address that somebody takes away.

    `position`: of the log, from which on the page listens; None where nothing more will come.
    """
    content = page_of(
        "replay/embedded.html" if shown.at.is_embedded else "replay/whole.html",
        frame,
        shown=shown,
        picture=Markup(table_svg(shown.moment, is_whole_file=False)),
        origin=origin,
        position=position,
    )
    return Part(shown.page_title, Markup(content))
