"""How somebody reads the pages: in which language, how light or dark, and with which letters on the cards."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

from msgspec import Struct

from ledger.text.letters import Letters, rank_face

Theme: TypeAlias = Literal["auto", "light", "dark", "contrast"]

THEMES: Final = get_args(Theme)


class Look(Struct, frozen=True, kw_only=True):
    """What a reader has chosen, or his browser says."""

    lang: str = "en"
    theme: Theme = "auto"
    letters: Letters = "en"

    def rank(self, rank: str) -> str:
        """What stands on a card of this rank of the record: `T` is 10."""
        return rank_face(rank, self.letters)
