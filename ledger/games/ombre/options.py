"""The options of an Ombre table (OMB-9.1 to 9.26), with the rulebook's defaults."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from ledger.events import Suit
from ledger.i18n import phrases
from ledger.limits import OPTION_NUMBER

phrase: Final = phrases("ledger.games.ombre")
"""The messages of this game alone, by key."""

Counters = Annotated[int, Meta(ge=0, le=OPTION_NUMBER)]


class OmbreOptions(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    players: Literal[3, 4] = 3  # OMB-9.1
    pack_names: Literal["french", "spanish"] = "french"  # OMB-9.2
    ante: Counters = 5  # OMB-9.3
    stake_per_player: Counters = 5  # OMB-9.4
    vuelta_points: Counters = 2  # OMB-9.5
    solo_points: Counters = 5  # OMB-9.6
    estuche_points: Counters = 1  # OMB-9.7
    estuche_min: Annotated[int, Meta(ge=1, le=9)] = 3  # OMB-9.8
    primeras_points: Counters = 3  # OMB-9.9
    vole_points: Counters = 25  # OMB-9.10
    failed_vole_points: Counters = 25  # OMB-9.11
    failed_vole_keeps_pool: bool = True  # OMB-9.12
    failed_vole_keeps_primeras: bool = True  # OMB-9.13
    codille_takes_pool: bool = False  # OMB-9.14
    solo_first_exchange_max: Annotated[int, Meta(ge=0, le=9)] = 8  # OMB-9.15
    exchange_yield: bool = True  # OMB-9.16
    surrender_allowed: bool = True  # OMB-9.17
    surrender_max_tricks: Annotated[int, Meta(ge=0, le=8)] = 3  # OMB-9.18
    defend_allowed: bool = True  # OMB-9.19
    defend_takes_pool: bool = False  # OMB-9.20
    all_pass: Literal["redeal", "spadille_forced"] = "redeal"  # OMB-9.21
    favourite_suit: Suit | Literal["none"] | None = None  # OMB-9.22; `none` is read as null
    favour_points: Counters = 2  # OMB-9.23
    throw_in_allowed: bool = True  # OMB-9.24
    match_deals: Counters = 0  # OMB-9.25
    final_pool: Literal["split", "leave"] = "split"  # OMB-9.26
