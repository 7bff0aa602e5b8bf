"""What every access store does: who was given a token or a table's code, and which browsers are signed in."""

from __future__ import annotations

from typing import Annotated, Literal, Protocol, TypeAlias

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


class AccessStore(Protocol):
    """Tokens, codes and sessions of one ledger. What one process changes, every other one sees at its next question.

    Whatever is presented as a secret is a text of somebody unknown: any text is taken, and none is in an error.
    """

    def add_token(self, new: NewToken) -> Issued:
        """Raises `MalformedError` for rights that no token can have, `ConflictError` for an id that was used before."""
        ...

    def add_code(self, new: NewCode) -> Issued:
        """Raises as `add_token`, and `NotFoundError` where the token that makes it is not valid."""
        ...

    def tokens(self) -> list[TokenFacts]:
        """All tokens and codes that there ever were, the oldest first."""
        ...

    def revoke(self, id: str) -> TokenFacts:
        """End a token or code, its sessions and the codes made with it; what has ended already stays as it is.

        Raises `NotFoundError` where there is none of that id.
        """
        ...

    def grant_of(self, token: str) -> Grant | Denial: ...

    def redeem(self, code: str, name: str | None, before: str | None = None) -> OpenedSession | Denial:
        """Sign a browser in by a table's code; raises `MalformedError` for a name that cannot be.

        No two sessions that may record are ever recorded alike: a name that was used before at this token gets a
        number (`Ada 2`), and so does a browser without a name where the token's id alone stands for somebody else.
        `before`: the secret of the session that this browser had; where it signs in by the same token and name, that
        session ends and its name goes on.
        """
        ...

    def open_session(self, grant: Grant, before: str | None = None) -> OpenedSession | Denial:
        """Sign a browser in by a token, under the grant's name; otherwise as `redeem`.

        Its rights are those of the token, now and later, whatever the grant says.
        """
        ...

    def session_of(self, secret: str) -> Session | Denial: ...

    def clock_ahead(self) -> Time | None:
        """Return the moment that ends are counted from where the machine's clock is well behind it, else None."""
        ...

    def reset_clock(self) -> Time:
        """Count ends by the machine's clock from now on, though it showed a later moment before; return that moment.

        What has not been revoked and ends later than it opens again.
        """
        ...

    def close_session(self, secret: str) -> None:
        """Nothing happens where there is no such session."""
        ...

    def close(self) -> None: ...
