"""The irregularities of section 11 that a record can hold: name, id, severity (COU-11.10 to 11.50)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ledger.games.kernel.findings import Severity, Violation, codes_of, findings_of

IRREGULARITIES: Final[dict[str, tuple[str, Severity]]] = {
    "bad_pack": ("COU-11.11", "error"),
    "wrong_dealer": ("COU-11.12", "error"),
    "wrong_cut": ("COU-11.13", "info"),
    "wrong_packets": ("COU-11.14", "warning"),
    "wrong_number": ("COU-11.15", "error"),
    "wrong_turned_card": ("COU-11.16", "error"),
    "call_out_of_turn": ("COU-11.18", "error"),
    "call_after_trumps": ("COU-11.19", "error"),
    "named_by_wrong_seat": ("COU-11.20", "error"),
    "trumps_not_fixed": ("COU-11.21", "error"),
    "mit_without_queen": ("COU-11.22", "error"),
    "mit_not_allowed": ("COU-11.23", "error"),
    "kontra_not_allowed": ("COU-11.24", "error"),
    "re_not_allowed": ("COU-11.25", "error"),
    "no_mit_here": ("COU-11.26", "error"),
    "wrong_first_lead": ("COU-11.27", "error"),
    "wrong_lead": ("COU-11.28", "error"),
    "play_out_of_turn": ("COU-11.29", "error"),
    "two_cards_in_trick": ("COU-11.30", "error"),
    "card_not_held": ("COU-11.31", "error"),
    "card_played_twice": ("COU-11.32", "error"),
    "revoke_third_suit": ("COU-11.33", "error"),
    "revoke_trumps_led": ("COU-11.34", "error"),
    "wrong_gather": ("COU-11.35", "error"),
    "partner_gathered": ("COU-11.36", "info"),
    "unfinished_deal": ("COU-11.37", "warning"),
    "concession_not_allowed": ("COU-11.38", "error"),
    "play_after_concession": ("COU-11.39", "warning"),
    "sheet_points_differ": ("COU-11.40", "error"),
    "sheet_winner_differs": ("COU-11.41", "error"),
    "sheet_need_differs": ("COU-11.42", "error"),
    "sheet_picture_differs": ("COU-11.43", "info"),
    "sheet_draw_mark_differs": ("COU-11.44", "error"),
    "sheet_game_points_differ": ("COU-11.45", "error"),
    "deal_after_end": ("COU-11.46", "error"),
    "turned_at_wrong_moment": ("COU-11.49", "error"),
}

HALTING: Final = frozenset(
    ("bad_pack", "wrong_number", "trumps_not_fixed", "two_cards_in_trick", "card_not_held", "card_played_twice")
)
"""After these, no score follows from the cards (COU-11.4), as after `unfinished_deal` and `deal_after_end`."""

HALTING_CODES: Final = codes_of(IRREGULARITIES, *HALTING)

IMPOSSIBLE: Final = codes_of(IRREGULARITIES, "two_cards_in_trick", "card_not_held", "card_played_twice")
"""Codes for acts that cannot have happened at a table: the record is wrong."""

AT_NO_TIME: Final = frozenset(
    (
        "call_out_of_turn",
        "call_after_trumps",
        "named_by_wrong_seat",
        "trumps_not_fixed",
        "mit_without_queen",
        "mit_not_allowed",
        "kontra_not_allowed",
        "re_not_allowed",
        "no_mit_here",
        "wrong_first_lead",
        "wrong_lead",
        "play_out_of_turn",
        "two_cards_in_trick",
        "concession_not_allowed",
        "play_after_concession",
    )
)
"""Irregularities with no legal alternative, unless they list one: the act was not for the seat, or not yet."""

violation: Final = findings_of(IRREGULARITIES, AT_NO_TIME)


def halts(violations: Sequence[Violation]) -> bool:
    """Return whether the deal cannot be scored any more after these (COU-11.4)."""
    return any(one.code in HALTING_CODES for one in violations)
