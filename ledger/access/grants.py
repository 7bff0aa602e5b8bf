"""The rights of a client, whether it was identified by a token, a code or a session."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

from msgspec import Struct

Role: TypeAlias = Literal["viewer", "recorder", "director", "admin"]
ROLES: Final[tuple[Role, ...]] = get_args(Role)
"""Roles in ascending order: each includes the rights of those before it."""


def recorded_as(token: str, name: str | None) -> str:
    """Return the recorder for a token and a name, as stored with each entry."""
    return token if name is None else f"{token}/{name}"


class Grant(Struct, frozen=True, kw_only=True):
    """The rights of one client. `token`: its id, or `loopback` or `public` without one. `hands`: may see open hands.

    `tables`: None means all. `seat`: the seat of its one table that it is bound to. `name`: of the signed-in browser.
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
        """The recorder of this client's entries: one bearer token, or one signed-in browser, and never another one."""
        return recorded_as(self.token, self.name)

    @property
    def is_writer(self) -> bool:
        """Whether the client may record anything."""
        return self.seat is not None or self.at_least("recorder")

    def sees(self, table: str) -> bool:
        """Return whether the client may see a table, by its slug."""
        return self.tables is None or table in self.tables

    def at_least(self, role: Role) -> bool:
        """Return whether the client has this role or a higher one."""
        return ROLES.index(self.role) >= ROLES.index(role)
