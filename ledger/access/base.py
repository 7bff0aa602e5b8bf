"""The facts about tokens, table codes and signed-in browsers."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from ledger.access.grants import Grant, Role
from ledger.events import Date, Seat, Slug, Time

TokenKind: TypeAlias = Literal["token", "code"]
"""A token is for one person, program or link; a code is eight digits that many phones share until a stated time."""

Denial: TypeAlias = Literal["unknown", "expired", "revoked"]
"""The reason why a secret is rejected: it never existed, it has expired, or somebody revoked it."""

Tables: TypeAlias = Annotated[tuple[Slug, ...], Meta(min_length=1)]


class NewToken(Struct, frozen=True, kw_only=True):
    """A token to issue. `tables`: None means all; `seat`: a seat of its one table; `expires_at`: None means never."""

    id: Slug
    role: Role
    tables: Tables | None = None
    seat: Seat | None = None
    hands: bool = False
    may_open: bool = False
    expires_at: Time | None = None


class NewCode(Struct, frozen=True, kw_only=True):
    """A table code to issue. `id`: None lets the store choose one; `made_by`: the token that the code ends with, if
    any.
    """

    tables: Tables
    role: Literal["viewer", "recorder"]
    until: Time
    id: Slug | None = None
    may_open: bool = False
    made_by: Slug | None = None


class TokenFacts(Struct, frozen=True, kw_only=True):
    """The stored facts about a token or code; the secret itself is not stored. `last_used_on`: a day in UTC."""

    id: Slug
    kind: TokenKind
    role: Role
    tables: Tables | None = None
    seat: Seat | None = None
    hands: bool = False
    may_open: bool = False
    made_by: Slug | None = None
    created_at: Time
    expires_at: Time | None = None
    revoked_at: Time | None = None
    last_used_on: Date | None = None


class Issued(Struct, frozen=True, kw_only=True):
    """A new token or code with its secret, which is shown only once. `link`: to sign in by, if the address is known."""

    secret: str
    token: TokenFacts
    link: str | None = None


class Session(Struct, frozen=True, kw_only=True):
    """A signed-in browser. `csrf`: the token that its pages send with each change."""

    grant: Grant
    csrf: str
    ends_at: Time


class OpenedSession(Struct, frozen=True, kw_only=True):
    """A new session with its `secret`, which the browser stores as its cookie."""

    secret: str
    session: Session
