"""How somebody looks at a deal, and the addresses that lead from there to another step or another look."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal
from urllib.parse import quote, urlencode

from msgspec import Struct, structs

Reading = Literal["corrected", "recorded"]

LAST: Final = "last"


class Link(Struct, frozen=True):
    """A text that leads somewhere; `address` empty: it does not. `is_here`: it is what is shown."""

    text: str
    address: str = ""
    is_here: bool = False


class Viewpoint(Struct, frozen=True, kw_only=True):
    """`seat`: with whose eyes, None for everybody. `below`: who sits at the bottom; None: the seat, or the first.

    `others`: parameters that belong to every address from here, such as `as_of`. `is_embedded`: in a frame of another
    page. `title`: what the table is called, if not by its slug. `is_seated`: an address
    without a seat means the reader's own.
    """

    table: str
    deal: int
    seat: int | None = None
    below: int | None = None
    reading: Reading = "corrected"
    others: Sequence[tuple[str, str]] = ()
    is_embedded: bool = False
    title: str = ""
    is_seated: bool = False

    @property
    def display_title(self) -> str:
        """The table as people call it."""
        return self.title or self.table

    def step_address(self, step: int | str) -> str:
        """The address of a step."""
        return _address(self.path(step), self.fields)

    @property
    def key(self) -> tuple[object, ...]:
        """What tells one way to look from any other."""
        return (self.table, self.deal, self.below, tuple(self.fields), self.is_embedded)

    def path(self, step: int | str) -> str:
        """The same without parameters, as a form needs it that sends them itself."""
        beginning = "/embed" if self.is_embedded else "/t"
        return f"{beginning}/{self.table}/{self.deal}/{step}".rstrip("/")

    def deal_address(self, deal: int) -> str:
        """The address of another deal of the table, looked at in the same way but by everybody."""
        return _address(f"/t/{self.table}/{deal}", self._of_everybody(is_embedded=False).fields)

    @property
    def readings_address(self) -> str:
        parameters = [one for one in self.fields if one[0] != "reading" and one[1]]
        return _address(f"/t/{self.table}/{self.deal}/readings", parameters)

    @property
    def table_address(self) -> str:
        return f"/t/{quote(self.table)}"

    def picture_address(self, step: int, ending: str) -> str:
        """The address of the picture of a step as a file."""
        return _address(f"{self.path(step)}.{ending}", self.fields)

    def api_address(self, path: str) -> str:
        """The address of what programs read of the deal, in the same look."""
        parameters = [one for one in self.fields if one[0] != "below" and one[1]]
        return _address(f"/api/v1/tables/{self.table}/deals/{self.deal}{path}", parameters)

    def full_page_address(self, step: int) -> str:
        """The address of the whole page, where this is a frame."""
        return structs.replace(self, is_embedded=False).step_address(step)

    def with_seat_below(self, below: int) -> Viewpoint:
        return structs.replace(self, below=below)

    def embedded(self) -> Viewpoint:
        """The same for everybody, in a frame."""
        return self._of_everybody(is_embedded=True)

    def shared(self, *, is_hidden: bool) -> Viewpoint:
        """Return the look of a link for others, who cannot open what a seat sees of hidden hands (`is_hidden`)."""
        return self._of_everybody() if is_hidden or self.seat is None else self

    def _of_everybody(self, **changes: bool) -> Viewpoint:
        return structs.replace(self, seat=None, is_seated=False, **changes)

    @property
    def fields(self) -> list[tuple[str, str]]:
        """The parameters of this look, which a form sends along with a step."""
        parameters = [("seat", "")] if self.is_seated else []
        if self.seat is not None:
            parameters = [("seat", str(self.seat))]
        if self.below is not None and self.below != self.seat:
            parameters.append(("below", str(self.below)))
        if self.reading != "corrected":
            parameters.append(("reading", self.reading))
        return [*parameters, *self.others]


def _address(path: str, parameters: Sequence[tuple[str, str]]) -> str:
    return f"{quote(path)}?{urlencode(parameters)}" if parameters else quote(path)
