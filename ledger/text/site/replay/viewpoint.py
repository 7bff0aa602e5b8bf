"""The viewpoint of a reader on a deal, and the addresses of other steps and views."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal
from urllib.parse import quote, urlencode

from msgspec import Struct, structs

Reading = Literal["corrected", "recorded"]

LAST: Final = "last"


class Link(Struct, frozen=True):
    """A text with an address. `address`: empty for plain text. `is_here`: it leads to what is shown now."""

    text: str
    address: str = ""
    is_here: bool = False


class Viewpoint(Struct, frozen=True, kw_only=True):
    """A view of a deal.

    `seat`: the viewing seat, None for everyone. `below`: the seat at the bottom of the picture, by default the viewing
    seat or the first. `others`: parameters of all addresses, e.g. `as_of`. `is_embedded`: in a frame of another page.
    `title`: the table's title, if it is not its slug. `is_seated`: an address without a seat means the reader's own
    seat.
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
        """The title of the table, or its slug."""
        return self.title or self.table

    def step_address(self, step: int | str) -> str:
        """Return the address of a step."""
        return _address(self.path(step), self.fields)

    @property
    def key(self) -> tuple[object, ...]:
        """A key that is equal for equal views."""
        return (self.table, self.deal, self.below, tuple(self.fields), self.is_embedded)

    def path(self, step: int | str) -> str:
        """Return the path of a step without parameters, for a form that sends them as fields."""
        beginning = "/embed" if self.is_embedded else "/t"
        return f"{beginning}/{self.table}/{self.deal}/{step}".rstrip("/")

    def deal_address(self, deal: int) -> str:
        """Return the address of another deal of the table in the same view, but as everyone sees it."""
        return _address(f"/t/{self.table}/{deal}", self._of_everybody(is_embedded=False).fields)

    @property
    def readings_address(self) -> str:
        parameters = [one for one in self.fields if one[0] != "reading" and one[1]]
        return _address(f"/t/{self.table}/{self.deal}/readings", parameters)

    @property
    def table_address(self) -> str:
        return f"/t/{quote(self.table)}"

    def picture_address(self, step: int, ending: str) -> str:
        """Return the address of the picture of a step as a file."""
        return _address(f"{self.path(step)}.{ending}", self.fields)

    def api_address(self, path: str) -> str:
        """Return the address of the deal's data in the API, in the same view."""
        parameters = [one for one in self.fields if one[0] != "below" and one[1]]
        return _address(f"/api/v1/tables/{self.table}/deals/{self.deal}{path}", parameters)

    def full_page_address(self, step: int) -> str:
        """Return the address of the full page of an embedded one."""
        return structs.replace(self, is_embedded=False).step_address(step)

    def with_seat_below(self, below: int) -> Viewpoint:
        """Return the same view with this seat at the bottom."""
        return structs.replace(self, below=below)

    def dispute_address(self, **about: int) -> str:
        """Return the address of the form that raises a dispute about a `step`, or `about` a ruling by its version."""
        parameters = [(name, str(value)) for name, value in about.items() if value]
        return _address(f"/t/{self.table}/{self.deal}/dispute", parameters)

    def embedded(self) -> Viewpoint:
        """Return the same view as everyone sees it, in a frame."""
        return self._of_everybody(is_embedded=True)

    def shared(self, *, is_hidden: bool) -> Viewpoint:
        """Return the view for a link to share; while hands are hidden (`is_hidden`) it shows no seat's view."""
        return self._of_everybody() if is_hidden or self.seat is None else self

    def _of_everybody(self, **changes: bool) -> Viewpoint:
        return structs.replace(self, seat=None, is_seated=False, **changes)

    @property
    def fields(self) -> list[tuple[str, str]]:
        """The parameters of this view, which a form sends along with a step."""
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
