"""The irregularities of the rulebook's section 11: name, id and severity (OMB-11.9 to 11.52)."""

from __future__ import annotations

from typing import Final

from ledger.games.kernel.findings import Severity, codes_of, findings_of

IRREGULARITIES: Final[dict[str, tuple[str, Severity]]] = {
    "after_match": ("OMB-11.9", "error"),
    "bad_deal": ("OMB-11.10", "error"),
    "wrong_dealer": ("OMB-11.11", "warning"),
    "call_after_end": ("OMB-11.13", "error"),
    "call_after_pass": ("OMB-11.14", "error"),
    "call_out_of_turn": ("OMB-11.15", "error"),
    "illegal_call": ("OMB-11.16", "error"),
    "auction_unfinished": ("OMB-11.17", "error"),
    "trump_missing": ("OMB-11.19", "error"),
    "trump_not_allowed": ("OMB-11.20", "error"),
    "trump_by_wrong_seat": ("OMB-11.21", "error"),
    "wrong_upcard": ("OMB-11.22", "error"),
    "illegal_yield": ("OMB-11.23", "error"),
    "exchange_not_entitled": ("OMB-11.24", "error"),
    "exchange_out_of_order": ("OMB-11.25", "error"),
    "discard_not_held": ("OMB-11.26", "error"),
    "exchange_too_many": ("OMB-11.27", "error"),
    "draw_mismatch": ("OMB-11.28", "error"),
    "exchange_missing": ("OMB-11.29", "warning"),
    "defence_unanswered": ("OMB-11.30", "error"),
    "play_after_end": ("OMB-11.31", "error"),
    "wrong_lead": ("OMB-11.32", "error"),
    "play_out_of_turn": ("OMB-11.33", "error"),
    "card_played_twice": ("OMB-11.34", "error"),
    "card_not_held": ("OMB-11.35", "error"),
    "illegal_exemption": ("OMB-11.36", "error"),
    "revoke": ("OMB-11.37", "error"),
    "wrong_gather": ("OMB-11.38", "error"),
    "illegal_surrender": ("OMB-11.39", "error"),
    "illegal_defence": ("OMB-11.40", "error"),
    "illegal_stop": ("OMB-11.41", "error"),
    "illegal_throw_in": ("OMB-11.42", "error"),
    "incomplete_play": ("OMB-11.43", "warning"),
    "wrong_result": ("OMB-11.44", "error"),
    "false_claim": ("OMB-11.45", "error"),
    "bonus_missed": ("OMB-11.46", "warning"),
    "score_mismatch": ("OMB-11.47", "error"),
    "not_zero_sum": ("OMB-11.48", "error"),
    "exemption_used": ("OMB-11.51", "info"),
    "deal_voided": ("OMB-11.52", "info"),
}

FATAL: Final = codes_of(
    IRREGULARITIES,
    "bad_deal",
    "auction_unfinished",
    "trump_missing",
    "discard_not_held",
    "exchange_too_many",
    "draw_mismatch",
    "defence_unanswered",
)
"""The findings, besides unfinished play, that halt a deal (OMB-11.5)."""

IMPOSSIBLE: Final = codes_of(
    IRREGULARITIES, "discard_not_held", "draw_mismatch", "play_after_end", "card_played_twice", "card_not_held"
)
"""Findings that cannot happen at a table: the record must be wrong."""

AT_NO_TIME: Final = frozenset(
    ("call_after_end", "call_after_pass", "call_out_of_turn", "play_after_end", "wrong_lead", "play_out_of_turn")
)
"""Findings about a call or card out of turn or after the end, when nothing was legal."""

violation: Final = findings_of(IRREGULARITIES, AT_NO_TIME)
