"""What is known of tokens, codes of tables, and browsers that are signed in."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from ledger.access.grants import Grant, Role
from ledger.events import Date, Seat, Slug, Time

TokenKind: TypeAlias = Literal["token", "code"]
"""A token is for one person, program or link; a code is eight digits that many phones type until a stated hour."""

Denial: TypeAlias = Literal["unknown", "expired", "revoked"]
"""Why a secret opens nothing: there never was one, it has ended by itself, or somebody ended it."""

Tables: TypeAlias = Annotated[tuple[Slug, ...], Meta(min_length=1)]


class NewToken(Struct, frozen=True, kw_only=True):
    """A token to be given out. `tables`: None means all; `seat`: of its one table; `expires_at`: None means never."""

    id: Slug
    role: Role
    tables: Tables | None = None
    seat: Seat | None = None
    hands: bool = False
    may_open: bool = False
    expires_at: Time | None = None


class NewCode(Struct, frozen=True, kw_only=True):
    """A code to be given out. `id`: None lets the store choose one; `made_by`: the token with which it ends, if any."""

    tables: Tables
    role: Literal["viewer", "recorder"]
    until: Time
    id: Slug | None = None
    may_open: bool = False
    made_by: Slug | None = None


class TokenFacts(Struct, frozen=True, kw_only=True):
    """What is known of a token or a code; the secret itself is nowhere. `last_used_on`: a day in UTC."""

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
    """A new token or code with its secret, which is shown this once. `link`: to sign in by, if the address was told."""

    secret: str
    token: TokenFacts
    link: str | None = None


class Session(Struct, frozen=True, kw_only=True):
    """A signed-in browser. `csrf`: what its pages send along with each change."""

    grant: Grant
    csrf: str
    ends_at: Time


class OpenedSession(Struct, frozen=True, kw_only=True):
    """`secret`: what the browser keeps as its cookie."""

    secret: str
    session: Session
