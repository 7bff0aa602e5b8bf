"""Who may do what: tokens and the codes of tables, given out, listed and revoked by an admin."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from ledger.access.base import Issued, NewCode, NewToken, Tables, TokenFacts, TokenKind
from ledger.access.grants import Role
from ledger.errors import MalformedError
from ledger.events import Seat, Slug, Time
from ledger.web.catalogue import phrase
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import PREFIX, route


class TokenWanted(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A token to be given out, or a table's code, which needs `tables` and `expires_at`.

    `tables`: null means all; `seat`: of its one table. `id`: null lets the service choose one, for a code.
    """

    kind: TokenKind = "token"
    role: Role
    id: Slug | None = None
    tables: Tables | None = None
    seat: Seat | None = None
    hands: bool = False
    may_open: bool = False
    expires_at: Time | None = None


@route("GET", "/tokens", "admin", answers={200: list[TokenFacts]})
def tokens(request: Request) -> Response:
    """All tokens and codes that there ever were; the secrets are nowhere."""
    return Response(request.service.access.tokens())


@route("POST", "/tokens", "admin", body=TokenWanted, answers={201: Issued}, problems=("exists", "not_found"))
def add_token(request: Request) -> Response:
    """Gives out a token, or a table's code; its secret is shown this once."""
    sent: TokenWanted = request.data
    access = request.service.access
    if sent.kind == "code":
        issued = access.add_code(_code(sent))
    elif sent.id is None:
        raise MalformedError(phrase("token_without_id"), field="id")
    else:
        issued = access.add_token(
            NewToken(
                id=sent.id,
                role=sent.role,
                tables=sent.tables,
                seat=sent.seat,
                hands=sent.hands,
                may_open=sent.may_open,
                expires_at=sent.expires_at,
            )
        )
    return Response(issued, status_code=201, headers={"location": f"{PREFIX}/tokens/{issued.token.id}"})


def _code(sent: TokenWanted) -> NewCode:
    role: Literal["viewer", "recorder"]
    match sent.role:
        case "viewer" | "recorder":
            role = sent.role
        case _:
            raise MalformedError(phrase("role_of_code"), text=sent.role, field="role")
    if sent.tables is None or sent.expires_at is None or sent.seat is not None or sent.hands:
        raise MalformedError(phrase("code_wants"), field="tables" if sent.tables is None else "expires_at")
    return NewCode(tables=sent.tables, role=role, until=sent.expires_at, id=sent.id, may_open=sent.may_open)


@route("DELETE", "/tokens/{id}", "admin", answers={204: None}, problems=("not_found",))
def revoke_token(request: Request, id: str) -> Response:
    """Ends a token or a code at once, with all who signed in by it."""
    request.service.access.revoke(id)
    return Response(status_code=204)
