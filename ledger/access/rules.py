"""The rules for issuing tokens and codes and for their validity. Pure: the same for every store."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Final

from msgspec import structs, to_builtins

from ledger import limits
from ledger.access.base import Denial, NewCode, NewToken, TokenFacts
from ledger.access.catalogue import phrase
from ledger.access.grants import Grant
from ledger.errors import ConflictError, MalformedError, NotFoundError, listed
from ledger.limits import exceeded
from ledger.log.append_rules import timestamp
from ledger.names import hint, readable_name
from ledger.validation import converted

SESSION_DAYS: Final = 30
"""The lifetime of a session, unless its token ends before."""

_SLUG: Final = re.compile(rf"[a-z0-9-]{{1,{limits.SLUG_CHARS}}}")

NOT_TOKENS: Final = ("loopback", "public")
"""Names in grants and records for clients without a token, which no token may have."""


def new_token_facts(new: NewToken, now: datetime, known: Collection[str], *, machine: datetime) -> TokenFacts:
    """Return the facts of a new token.

    `known`: ids that were ever used. `machine`: the time of the machine's clock; `now` may be later where the clock was
    set back. Raise `MalformedError` for invalid rights, `ConflictError` for a used id.
    """
    _check_id(new.id, known)
    valid = converted(to_builtins(new), NewToken, "")
    if valid.seat is not None and (valid.tables is None or len(valid.tables) != 1):
        raise MalformedError("tables", phrase("form.one_table"), ", ".join(valid.tables or ()) or None)
    if valid.role == "admin" and valid.tables is not None:
        raise MalformedError("tables", phrase("form.admin_of_all"), ", ".join(valid.tables))
    _check_end("expires_at", valid.expires_at, now, machine)
    return TokenFacts(kind="token", created_at=timestamp(now), **structs.asdict(valid))


def new_code_facts(new: NewCode, now: datetime, known: Sequence[TokenFacts], *, machine: datetime) -> TokenFacts:
    """Return the facts of a new table code.

    Raise as `new_token_facts`, and `NotFoundError` where the token in `made_by` is not valid.
    """
    ids = {facts.id for facts in known}
    if new.id is not None:
        _check_id(new.id, ids)
    valid = converted(to_builtins(new), NewCode, "")
    maker = next((facts for facts in known if facts.id == valid.made_by), None)
    if valid.made_by is not None and (maker is None or denial(maker, now) is not None):
        raise no_such_token(valid.made_by, ids)
    _check_end("until", valid.until, now, machine)
    return TokenFacts(
        id=valid.id or _free_id(ids),
        kind="code",
        role=valid.role,
        tables=valid.tables,
        may_open=valid.may_open,
        made_by=valid.made_by,
        created_at=timestamp(now),
        expires_at=valid.until,
    )


def denial(facts: TokenFacts, now: datetime) -> Denial | None:
    """Return why a token or code is rejected; None if it is valid."""
    if facts.revoked_at is not None:
        return "revoked"
    return "expired" if facts.expires_at is not None and facts.expires_at <= timestamp(now) else None


def grant_by(facts: TokenFacts, name: str | None = None) -> Grant:
    """Return the rights that a token or code gives, for a signed-in browser of this name."""
    return Grant(
        token=facts.id,
        role=facts.role,
        hands=facts.hands,
        tables=facts.tables,
        seat=facts.seat,
        may_open=facts.may_open,
        name=name,
    )


def session_end(facts: TokenFacts, now: datetime) -> str:
    """Return when a session that begins now ends."""
    latest = timestamp(now + timedelta(days=SESSION_DAYS))
    return latest if facts.expires_at is None else min(latest, facts.expires_at)


def checked_name(name: str | None) -> str | None:
    """Return the name typed at sign-in, in NFC.

    Raise `MalformedError` for a name that cannot follow a token's id in the record.
    """
    if name is None:
        return None
    readable = readable_name("name", name)
    if "/" in readable:
        raise MalformedError("name", phrase("form.name_without_slash"), readable)
    if len(readable) > limits.SIGN_IN_NAME_CHARS:
        raise exceeded("name", len(readable), limits.SIGN_IN_NAME_CHARS, "characters")
    return readable


def is_numbered(name: str, base: str) -> bool:
    """Return whether a name is `base`, or `base` with a number."""
    rest = name.removeprefix(base)
    return name.startswith(base) and (rest == "" or (rest[0] == " " and rest[1:].isdecimal()))


def no_such_token(id: str, known: Collection[str]) -> NotFoundError:
    """Return the error for an unknown token, with a hint at similar ids."""
    suggestion = hint(id, known, phrase("known_tokens", known=listed(sorted(known))) if known else phrase("no_tokens"))
    return NotFoundError("not_found", phrase("no_such_token", text=id, hint=suggestion), known=tuple(sorted(known)))


def _check_id(id: str, known: Collection[str]) -> None:
    if not _SLUG.fullmatch(id):
        raise MalformedError(phrase("form.not_id"), phrase("form.id", most=limits.SLUG_CHARS), id, field="id")
    if id in NOT_TOKENS:
        raise MalformedError(phrase("form.not_id"), phrase("form.another_id"), id, field="id")
    if id in known:
        raise ConflictError("exists", phrase("id_was_used", text=id))


def _check_end(field: str, end: str | None, now: datetime, machine: datetime) -> None:
    if end is None or end > timestamp(now):
        return
    if end > timestamp(machine):
        raise MalformedError(field, phrase("form.after_newest", newest=timestamp(now)), end)
    raise MalformedError(field, phrase("form.moment_to_come"), end)


def _free_id(known: Collection[str]) -> str:
    """Return the first of `code-1`, `code-2`, … that was never used."""
    return next(id for number in range(1, len(known) + 2) if (id := f"code-{number}") not in known)
