"""The irregularities of section 11 that a record can hold: name, id, severity (KOP-11.10 to 11.71)."""

from __future__ import annotations

from typing import Final

from ledger.games.kernel.findings import Severity, codes_of, findings_of

IRREGULARITIES: Final[dict[str, tuple[str, Severity]]] = {
    "wrong_pack": ("KOP-11.10", "error"),
    "wrong_number": ("KOP-11.11", "error"),
    "wrong_dealer": ("KOP-11.12", "warning"),
    "deck_disagrees": ("KOP-11.13", "error"),
    "wrong_cut": ("KOP-11.14", "info"),
    "call_out_of_turn": ("KOP-11.20", "warning"),
    "call_after_end": ("KOP-11.21", "warning"),
    "bid_too_low": ("KOP-11.22", "error"),
    "false_wesele": ("KOP-11.23", "error"),
    "false_baska": ("KOP-11.24", "error"),
    "unknown_call": ("KOP-11.25", "error"),
    "wrong_rung": ("KOP-11.26", "error"),
    "too_many_doublings": ("KOP-11.27", "error"),
    "own_doubling_doubled": ("KOP-11.28", "error"),
    "own_contract_doubled": ("KOP-11.29", "error"),
    "kontra_by_both_queens": ("KOP-11.30", "error"),
    "own_side_doubled": ("KOP-11.31", "info"),  # same_side_doubling=void
    "own_side_doubled_illegally": ("KOP-11.31", "error"),  # same_side_doubling=illegal
    "late_wesele": ("KOP-11.32", "error"),
    "wrong_jack": ("KOP-11.33", "error"),
    "solo_after_asking": ("KOP-11.34", "error"),
    "auction_unfinished": ("KOP-11.35", "warning"),
    "wrong_lead": ("KOP-11.40", "error"),
    "play_out_of_turn": ("KOP-11.41", "error"),
    "card_not_held": ("KOP-11.42", "error"),
    "card_played_twice": ("KOP-11.43", "error"),
    "revoke": ("KOP-11.44", "error"),
    "failure_to_trump": ("KOP-11.45", "error"),
    "failure_to_overtake": ("KOP-11.46", "error"),
    "play_after_end": ("KOP-11.47", "warning"),
    "play_missing": ("KOP-11.48", "warning"),
    "wrong_gather": ("KOP-11.49", "error"),
    "irregular_concession": ("KOP-11.50", "error"),
    "false_stop": ("KOP-11.51", "error"),
    "wrong_game_points": ("KOP-11.60", "error"),
    "wrong_delta": ("KOP-11.61", "error"),
    "other_pairing": ("KOP-11.62", "info"),
    "not_zero_sum": ("KOP-11.63", "error"),
    "wrong_total": ("KOP-11.64", "error"),
    "wrong_result": ("KOP-11.65", "error"),
    "after_match": ("KOP-11.71", "warning"),
}

DEALING_CODES: Final = frozenset(("KOP-11.10", "KOP-11.11", "KOP-11.13", "KOP-11.14"))
"""Codes about the cards dealt as recorded, which later cards do not affect."""

IMPOSSIBLE: Final = codes_of(IRREGULARITIES, "card_not_held", "card_played_twice", "play_after_end")
"""Codes for acts that cannot have happened at a table: the record is wrong."""

AT_NO_TIME: Final = frozenset(
    ("call_out_of_turn", "call_after_end", "unknown_call", "wrong_lead", "play_out_of_turn", "play_after_end")
)
"""Irregularities with no legal alternative: it was not the seat's turn, or everything was over."""

violation: Final = findings_of(IRREGULARITIES, AT_NO_TIME)
