"""The events that directors record: disputes, rulings, substitutions, notes and closings."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from ledger.errors import ConflictError, MalformedError
from ledger.events import (
    DisputeRaised,
    Event,
    HandsOpened,
    Noted,
    PlayerSeated,
    RulingGiven,
    RulingKind,
    TableClosed,
)
from ledger.games.kernel.rulebook import load
from ledger.names import folded
from ledger.recording.catalogue import phrase
from ledger.recording.correcting import EntryReference
from ledger.recording.grammar import Names
from ledger.table.disputes import dispute_at, ruling_of
from ledger.table.fold import TableFold
from ledger.table.hiding import hidden_deals_in
from ledger.validation import converted

_AMOUNT: Final = re.compile(r"(?:(?P<name>.+?)\s*(?:[\s=:]\s*|(?=[+−-])))?(?P<amount>[+−-]?\d{1,15})")


def parse_seat(players: Sequence[str], text: str) -> int:
    """Return the seat of a player by name, by an unambiguous beginning of the name, or by number.

    Raise `MalformedError` if no player or several players fit.
    """
    if text.strip().isdecimal() and folded(text) not in map(folded, players):
        seat = int(text) if len(text) < 4 else len(players)
        if seat < len(players):
            return seat
        raise MalformedError(phrase("ruling.no_seat"), phrase("ruling.seat_or_name", last=len(players) - 1), text)
    return Names(players).seat(text)


def parse_amounts(players: Sequence[str], text: str) -> tuple[int, ...]:
    """Parse amounts: `10,-10,0` by seat, or `Belinda +10, Baron -10` by name with 0 for all others.

    Raise `MalformedError` for anything else.
    """
    parts = [part.strip() for part in re.split("[,;]", text) if part.strip()]
    if len(parts) == 1 and len(parts[0].split()) == len(players):
        parts = parts[0].split()
    matches = [_AMOUNT.fullmatch(part) for part in parts]
    for part, match in zip(parts, matches, strict=True):
        if match is None:
            raise MalformedError(phrase("ruling.no_amount"), phrase("ruling.amounts"), part)
    named = [(match["name"], int(match["amount"].replace("−", "-"))) for match in matches if match is not None]
    if all(name is None for name, _ in named):
        if len(named) != len(players):
            expected = phrase("ruling.amounts_or_names", seats=len(players))
            raise MalformedError(phrase("ruling.not_each_seat"), expected, text)
        return tuple(amount for _, amount in named)
    amounts: dict[int, int] = {}
    for name, amount in named:
        if name is None:
            raise MalformedError(phrase("ruling.no_name"), phrase("ruling.amounts"), str(amount))
        seat = parse_seat(players, name)
        if seat in amounts:
            raise MalformedError(phrase("name.same_player"), phrase("name.each_once"), name)
        amounts[seat] = amount
    return tuple(amounts.get(seat, 0) for seat in range(len(players)))


def parse_award(text: str) -> Mapping[str, Any]:
    """Parse the fields of an award as the contract names them (COU-10.3): `winner=0, strength=2, circle=true`.

    Raise `MalformedError` for a part without a value.
    """
    award: dict[str, Any] = {}
    for part in re.split("[,; ]+", text.strip()):
        key, is_pair, value = part.partition("=")
        if not is_pair:
            raise MalformedError(phrase("ruling.no_award"), phrase("ruling.award"), part)
        try:
            award[key] = msgspec.json.decode(value)
        except msgspec.DecodeError:
            award[key] = value
    return award


def dispute(
    fold: TableFold,
    deal: int | None,
    text: str,
    *,
    player: str | int | None = None,
    version: int | None = None,
    step: int | None = None,
    appeals: int | None = None,
) -> DisputeRaised:
    """Return a dispute about a deal, or about one entry of it, given by its version or its step in `replay`.

    `appeals`: the version of the ruling that the dispute appeals against; its deal is the default. Raise
    `NotFoundError` for an unknown deal, step or ruling, and `MalformedError` for an unknown player or an empty text.
    """
    if appeals is not None:
        about = ruling_of(fold, appeals).deal
        if deal not in (None, about):
            expected = phrase("ruling.on_deal", deal=deal, about=about)
            raise MalformedError(phrase("ruling.of_another_deal"), expected, str(appeals))
        deal, version = about, appeals
    if deal is None:
        raise MalformedError(phrase("ruling.no_deal"), phrase("ruling.deal_or_ruling"))
    record = fold.deal(deal)
    if step is not None:
        version = EntryReference(deal=deal, step=step).place(fold).version
    if not text.strip():
        raise MalformedError(phrase("ruling.no_words_of_dispute"), phrase("ruling.in_dispute"))
    seat = None if player is None else parse_seat(record.players, str(player))
    raw = {"type": "dispute_raised", "deal": deal, "text": text, "seat": seat, "version": version}
    return converted(raw, DisputeRaised, "dispute")


def ruling(
    fold: TableFold,
    deal: int,
    kind: RulingKind,
    text: str,
    *,
    rule: str | None = None,
    deltas: str | Sequence[int] | None = None,
    pool: int | None = None,
    award: str | Mapping[str, Any] | None = None,
    dispute: int | None = None,
) -> RulingGiven:
    """Return a ruling on a deal. `deltas`: by seat, or in words by name; `rule`: an id of the game's rulebook, or
    `6.5`.

    Raise `NotFoundError` for an unknown deal, rule or dispute, `MalformedError` for values that do not fit, and
    `ConflictError` if an accepted score sheet does not suffice to score the deal.
    """
    record = fold.deal(deal)
    if not text.strip():
        raise MalformedError(phrase("ruling.no_words"), phrase("ruling.ruled"))
    about = deal if dispute is None else dispute_at(fold, dispute).deal
    if about != deal:
        expected = phrase("ruling.about_deal", deal=deal, about=about)
        raise MalformedError(phrase("ruling.another_deal"), expected, str(dispute))
    amounts = parse_amounts(record.players, deltas) if isinstance(deltas, str) else deltas
    _check_sum(fold, record.players, amounts, pool)
    raw = {
        "type": "ruling_given",
        "deal": deal,
        "text": text,
        "kind": kind,
        "rule": None if rule is None else load(fold.game.package).rule(rule).id,
        "deltas": amounts,
        "pool": pool,
        "award": parse_award(award) if isinstance(award, str) else award,
        "dispute": dispute,
    }
    given = converted(raw, RulingGiven, "ruling")
    if kind == "accept":
        _check_sheet(fold, given)
    return given


def _check_sheet(fold: TableFold, given: RulingGiven) -> None:
    """Raise `ConflictError` if the deal cannot be scored from the score sheet that the ruling accepts."""
    ruled = TableFold([*fold.entries, (len(fold.recorded) + 1, given)]).deal(given.deal)
    if ruled.status == "complete":
        return
    key = "no_sheet" if not ruled.claims else "sheet_says_too_little"
    values = {
        "deal": given.deal,
        "status": phrase(f"status.{ruled.status}"),
        "version": ruled.claims[-1][0] if ruled.claims else None,
        "needed": phrase("accept.card_points" if "award" in fold.game.ruling_kinds else "accept.changes"),
        "kind": "award" if "award" in fold.game.ruling_kinds else "replace",
    }
    raise ConflictError("still_unscorable", phrase(f"accept.{key}", **values))


def _check_sum(fold: TableFold, players: Sequence[str], deltas: Sequence[int] | None, pool: int | None) -> None:
    """Raise `MalformedError`, with the amounts, if a ruling in a game of payments creates or destroys counters."""
    rest = sum(deltas or ()) + (pool or 0)
    if not fold.game.is_zero_sum or not rest or deltas is None or len(deltas) != len(players):
        return
    shares = [phrase("ruling.of_player", name=name, amount=given) for name, given in zip(players, deltas, strict=True)]
    has_pool = "pool" in fold.match.state()
    if has_pool:
        shares.append(phrase("ruling.of_pool", amount=pool or 0))
    what = phrase("ruling.too_much" if rest > 0 else "ruling.too_little", rest=abs(rest), amounts=tuple(shares))
    raise MalformedError(what, phrase("ruling.sum_with_pool" if has_pool else "entry.sum_of_0"))


def closing(fold: TableFold, reason: str | None) -> list[Event]:
    """Return the events that close a table and open its hands. Raise `MalformedError` if it is closed."""
    if fold.is_closed:
        raise MalformedError(phrase("closing.is_closed"), phrase("closing.open_table"))
    closed = converted({"type": "table_closed", "reason": reason or None}, TableClosed, "closing")
    hidden = hidden_deals_in([*fold.recorded, (len(fold.recorded) + 1, closed)])
    return [closed, *(HandsOpened(deal=deal) for deal in hidden)]


def seating(fold: TableFold, seat: str | int, player: str, names: Mapping[str, str]) -> PlayerSeated:
    """Return the event that seats a player in place of another, who is given by seat number or name.

    `names`: the displayed names of players by their recorded names. Raise `MalformedError` for an unknown seat, for a
    player who sits at the table, and if the table is closed or a deal is not over.
    """
    if fold.is_closed:
        raise MalformedError(phrase("closing.is_closed"), phrase("closing.open_table"))
    if fold.deals and fold.deals[-1].machine.status == "open":
        what = phrase("seating.deal_open", deal=fold.deals[-1].number)
        raise MalformedError(what, phrase("seating.between_deals"))
    place = parse_seat(fold.players, str(seat))
    seated = [folded(name) for name in fold.players]
    if folded(player) in seated:
        other = seated.index(folded(player))
        raise MalformedError(phrase("seating.sits", seat=other), phrase("seating.another"), player)
    recorded = next((one for one, shown in names.items() if folded(shown) == folded(player)), player)
    return converted({"type": "player_seated", "seat": place, "player": recorded}, PlayerSeated, "seating")


def note(fold: TableFold, text: str, named: EntryReference, player: str | int | None) -> Noted:
    """Return a note, optionally about an entry and about a player, who is given by name or seat.

    Raise `MalformedError` for an empty note or an unknown player, and `NotFoundError` for an unknown entry.
    """
    check_remark(text)
    is_about_an_entry = named != EntryReference()
    version = named.place(fold).version if is_about_an_entry else None
    players = fold.players if named.deal is None else fold.deal(named.deal).players
    seat = None if player is None else parse_seat(players, str(player))
    return converted({"type": "noted", "text": text, "seat": seat, "version": version}, Noted, "note")


def check_remark(text: str) -> None:
    """Raise `MalformedError` if the note has no words."""
    if not text.strip():
        raise MalformedError(phrase("noting.no_words"), phrase("noting.words"))
