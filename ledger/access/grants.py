"""What whoever asks may do. How that was found out, by a token, a code or a session, is not told here."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

from msgspec import Struct

Role: TypeAlias = Literal["viewer", "recorder", "director", "admin"]
ROLES: Final[tuple[Role, ...]] = get_args(Role)
"""Each may what those before it may."""


def recorded_as(token: str, name: str | None) -> str:
    """Return who records by a token and a name, as it is stored with each entry."""
    return token if name is None else f"{token}/{name}"


class Grant(Struct, frozen=True, kw_only=True):
    """`token`: its id, or `loopback` or `public` without one. `hands`: may see open hands. `tables`: None means all.

    `seat`: that of its one table which it is bound to. `name`: of the signed-in browser.
    """

    token: str
    role: Role
    hands: bool = False
    tables: tuple[str, ...] | None = None
    seat: int | None = None
    may_open: bool = False
    name: str | None = None

    @property
    def recorded_by(self) -> str:
        """The writer: a bearer token, or one signed-in browser and no other one, ever."""
        return recorded_as(self.token, self.name)

    @property
    def is_writer(self) -> bool:
        """Whether they may record anything; who only looks on may not."""
        return self.seat is not None or self.at_least("recorder")

    def sees(self, table: str) -> bool:
        return self.tables is None or table in self.tables

    def at_least(self, role: Role) -> bool:
        return ROLES.index(self.role) >= ROLES.index(role)
