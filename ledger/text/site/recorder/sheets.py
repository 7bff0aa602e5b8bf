"""The table's own score sheet beside the rules: what each says of a deal, and why they may differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final
from unicodedata import normalize

from msgspec import Struct

from ledger.limits import AMOUNT_MAX
from ledger.table.fold import DealRecord
from ledger.text.site.words import say

POOL: Final = "pool"
_SIGNS: Final = str.maketrans({"\N{MINUS SIGN}": "-", "\N{EN DASH}": "-", "ー": "-", "-": "-"})


class Amounts(Struct, frozen=True, kw_only=True):
    """What somebody typed: the numbers by seat, None where none stands. `wrong`: the fields that have no number."""

    deltas: tuple[int | None, ...]
    pool: int | None
    wrong: frozenset[str]

    @property
    def left_out(self) -> frozenset[str]:
        """The fields of players that wait for a number."""
        return frozenset(_field(seat) for seat, amount in enumerate(self.deltas) if amount is None)

    @property
    def is_whole(self) -> bool:
        return not self.wrong and None not in self.deltas

    @property
    def is_empty(self) -> bool:
        return not self.wrong and self.pool is None and set(self.deltas) <= {None}


class Row(Struct, frozen=True, kw_only=True):
    """A player, or the pool. `differs`: in words, None where it does not; `is_wrong`: no number stands there."""

    name: str
    field: str
    rules: int
    typed: str
    differs: str | None
    is_wrong: bool


def amounts_typed(told: Mapping[str, str], seats: int) -> Amounts:
    """Numbers as people write them, `+4`, `−4`, `4`."""
    wrong = set()

    def number(field: str) -> int | None:
        text = normalize("NFKC", told.get(field, "")).translate(_SIGNS).replace(" ", "")
        if not text:
            return None
        digits = text.removeprefix("+").removeprefix("-")
        if not (digits.isascii() and digits.isdecimal()) or len(digits) > len(str(AMOUNT_MAX)):
            wrong.add(field)
            return None
        if abs(int(text)) > AMOUNT_MAX:
            wrong.add(field)
            return None
        return int(text)

    deltas = tuple(number(_field(seat)) for seat in range(seats))
    return Amounts(deltas=deltas, pool=number(POOL), wrong=frozenset(wrong))


def _field(seat: int) -> str:
    return f"s{seat}"


def rows(
    record: DealRecord, players: Sequence[str], told: Mapping[str, str], typed: Amounts, pool_name: str, lang: str
) -> tuple[Row, ...]:
    """Each player, and the pool where there is one."""
    settlement = record.settlement
    assert settlement is not None
    found = [
        _row(name, _field(seat), settlement.deltas[seat], typed.deltas[seat], told, typed, lang)
        for seat, name in enumerate(players)
    ]
    if settlement.pool_before or settlement.pool_after:
        found.append(_row(pool_name, POOL, settlement.pool_after, typed.pool, told, typed, lang))
    return tuple(found)


def _row(
    name: str, field: str, rules: int, said: int | None, told: Mapping[str, str], typed: Amounts, lang: str
) -> Row:
    differs = None
    if said is not None and said != rules:
        differs = say(lang, "sheet.more" if said > rules else "sheet.less", amount=abs(said - rules))
    return Row(
        name=name,
        field=field,
        rules=rules,
        typed=told.get(field, ""),
        differs=differs,
        is_wrong=field in typed.wrong,
    )


def guess(deltas: Sequence[int], typed: Amounts, lang: str) -> str | None:
    """What the amounts themselves show of how somebody may have come to them; None where they show nothing."""
    if not typed.is_whole or list(typed.deltas) == list(deltas) or not any(deltas):
        return None
    told = [one for one in typed.deltas if one is not None]
    if told == [-one for one in deltas]:
        return say(lang, "sheet.other_way_round")
    if sorted(told) == sorted(deltas):
        return say(lang, "sheet.other_places")
    for factor in (2, 3, 4, 8, 16):
        if told == [one * factor for one in deltas]:
            return say(lang, "sheet.times", factor=factor)
        if [one * factor for one in told] == list(deltas):
            return say(lang, "sheet.part", factor=factor)
    return None
