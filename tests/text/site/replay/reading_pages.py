"""Make and render pages of replays as the service does."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import ledger
from ledger.log import MemoryStore
from ledger.table.repository import TableAsRead
from ledger.text.site.cards import Preferences
from ledger.text.site.frame import Frame
from ledger.text.site.replay.navigation import Rights
from ledger.text.site.replay.replay_page import Replay, ReplayBuilder, replay_part
from ledger.text.site.replay.viewpoint import Viewpoint

REPLAYS: Final = sorted((Path(__file__).parents[4] / "replays").rglob("*.toml"))
READERS: Final = {"en": Preferences(), "ja": Preferences(lang="ja")}


def replayed(read: TableAsRead, deal: int, step: int | None, lang: str = "en", **how: Any) -> Replay:
    """Return the page of a step. `how`: fields of `Viewpoint`."""
    return replay_builder(read, deal, lang, **how).page(step)


def replay_builder(read: TableAsRead, deal: int, lang: str = "en", **how: Any) -> ReplayBuilder:
    return ReplayBuilder(read, Viewpoint(table=read.slug, deal=deal, **how), READERS[lang], Rights())


def rendered(shown: Replay, lang: str = "en") -> str:
    frame = Frame(preferences=READERS[lang], path=shown.at.step_address(shown.step), club="Thursday Club")
    return str(replay_part(shown, frame, "http://club", 7).content)


@cache
def tables_of(path: Path) -> Sequence[TableAsRead]:
    """Return the tables of a hand record. Read only."""
    store = MemoryStore()
    ledger.import_file(store, path, ledger.Recording(by="recorder-1"))
    return tuple(ledger.api.read_tables(store))
