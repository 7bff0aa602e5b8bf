"""The options of a Quadrille table (QUA-9.1, 9.2 and the table before them), with the rulebook's defaults."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from ledger.i18n import phrases
from ledger.limits import OPTION_NUMBER

phrase: Final = phrases("ledger.games.quadrille")
"""The messages of this game alone, by key."""

Points = Annotated[int, Meta(ge=0, le=OPTION_NUMBER)]
Stake = Annotated[int, Meta(ge=1, le=OPTION_NUMBER)]


class QuadrilleOptions(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    deal_packets: Literal["3-3-4", "4-3-3", "3-4-3"] = "3-3-4"  # QUA-3.9
    first_dealer: Literal[0, 1, 2, 3] = 0  # QUA-3.3: recorded, not enforced
    starting_counters: Points = 0  # QUA-3.1
    initial_pool: Points = 0  # QUA-3.2
    ante: Stake = 1  # QUA-3.4
    ante_by: Literal["each", "dealer"] = "each"  # QUA-3.4
    unit_rounding: Literal["down", "up"] = "down"  # QUA-3.6
    all_pass: Literal["forced_spadille", "throw_in"] = "forced_spadille"  # QUA-4.15, 4.17
    vole_stake: Stake = 3  # QUA-4.14, 6.19
    own_call: Literal["never", "no_king_left", "always"] = "never"  # QUA-5.9
    queen_call: Literal["all_plain_kings", "all_four_kings"] = "all_plain_kings"  # QUA-5.7, 5.10
    odd_point: Literal["pool", "ombre"] = "pool"  # QUA-7.14
    codille_refill: Literal["to_double", "pay_double"] = "to_double"  # QUA-7.18
    alliance_loss: Literal["ombre_alone", "shared_if_three"] = "ombre_alone"  # QUA-7.9 to 7.11
    consolation_units: Points = 0  # QUA-7.24
    solo_units: Points = 0  # QUA-7.25
    claims: bool = False  # QUA-6.27 to 6.29
    match_deals: Annotated[int, Meta(ge=0, le=OPTION_NUMBER, multiple_of=4)] = 0  # QUA-8.4
    final_pool: Literal["split", "leave"] = "split"  # QUA-8.5
