"""The tokens of a service, and its addresses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from ledger.access.base import Issued, TokenFacts
from ledger.text.catalogue import label
from ledger.text.layout import Part, table_headed
from ledger.zones import moment_text


def issued_text(issued: Issued, lang: str, tz: str | None) -> Iterator[Part]:
    """Yield a new token's rights, its secret and link, and a note that neither is shown again."""
    facts = issued.token
    values = {"id": facts.id, "rights": rights_text(facts, lang), "end": _end(facts, lang, tz)}
    yield label(lang, f"tokens.new_{facts.kind}", **values)
    yield issued.secret
    if issued.link is not None:
        yield issued.link
    yield label(lang, f"tokens.once_{facts.kind}")


def tokens_text(tokens: Sequence[TokenFacts], lang: str, tz: str | None) -> Iterator[Part]:
    """Yield a row for each token, the oldest first."""
    if not tokens:
        yield label(lang, "tokens.none_yet")
        return
    heads = ("id", "kind", "rights", "end", "last_used")
    shown = table_headed(*(label(lang, f"tokens.head_{name}") for name in heads))
    for facts in tokens:
        kind = label(lang, f"tokens.kind_{facts.kind}")
        shown.add_row(facts.id, kind, rights_text(facts, lang), _end(facts, lang, tz), facts.last_used_on or "–")
    yield shown


def clock_ahead_text(newest: str, lang: str, tz: str | None = None) -> str:
    """Return the warning that expiry is counted from a later time than now, with what to do."""
    return label(lang, "tokens.clock_ahead", moment=moment_text(newest, tz))


def rights_text(facts: TokenFacts, lang: str) -> str:
    """Return a token's rights: `recorder at ombre-1, seat 2; may open tables`."""
    between = label(lang, "list")
    tables = label(lang, "tokens.all_tables") if facts.tables is None else between.join(facts.tables)
    rights = label(lang, "tokens.rights", role=label(lang, f"tokens.role_{facts.role}"), tables=tables)
    if facts.seat is not None:
        rights += between + label(lang, "tokens.seat", number=facts.seat)
    more = [label(lang, f"tokens.{name}") for name in ("hands", "may_open") if getattr(facts, name)]
    return label(lang, "clauses").join((rights, *more))


def _end(facts: TokenFacts, lang: str, tz: str | None) -> str:
    if facts.revoked_at is not None:
        return label(lang, "tokens.revoked_at", moment=moment_text(facts.revoked_at, tz))
    if facts.expires_at is None:
        return label(lang, "tokens.never")
    return label(lang, "tokens.expires_at", moment=moment_text(facts.expires_at, tz))


class Start(Struct, frozen=True, kw_only=True):
    """The state of a started service.

    `here`: the address on this machine; `phone`: the one in the network, if reachable. `clock_ahead`: the time from
    which expiry is counted, if the clock is behind it.
    """

    ledger: str | Path
    entries: int
    here: str
    phone: str | None
    metrics: str | None = None
    needs_no_token: bool
    is_public: bool
    is_read_only: bool
    is_behind_proxy: bool
    clock_ahead: str | None = None


def start_text(start: Start, lang: str) -> Iterator[str]:
    """Yield all lines but the last; a QR code of `phone` may follow."""

    def say(key: str, /, **values: object) -> str:
        return label(lang, f"serve.{key}", **values)

    yield say("served", file=start.ledger, count=f"{start.entries:,}")
    yield say("here", url=start.here)
    if start.is_behind_proxy:
        yield say("proxy")
    elif start.phone is None:
        yield say("here_alone")
    else:
        yield say("phone", url=start.phone)
    if start.metrics is not None:
        yield say("metrics", url=start.metrics)
    if start.needs_no_token:
        yield say("no_token")
    yield say("public" if start.is_public else "token")
    if start.clock_ahead is not None:
        yield clock_ahead_text(start.clock_ahead, lang)
    if start.is_read_only:
        yield say("read_only")
