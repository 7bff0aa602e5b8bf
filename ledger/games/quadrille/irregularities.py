"""The irregularities of the rulebook's section 11: name, id and severity (QUA-11.8 to 11.54)."""

from __future__ import annotations

from typing import Final

from ledger.games.kernel.findings import Severity, codes_of, findings_of

IRREGULARITIES: Final[dict[str, tuple[str, Severity]]] = {
    "wrong_dealer": ("QUA-11.8", "error"),
    "bad_pack": ("QUA-11.9", "error"),
    "wrong_hand_size": ("QUA-11.10", "error"),
    "wrong_packets": ("QUA-11.11", "warning"),
    "bid_out_of_turn": ("QUA-11.12", "error"),
    "bid_after_pass": ("QUA-11.13", "error"),
    "insufficient_bid": ("QUA-11.14", "error"),
    "bid_after_end": ("QUA-11.15", "error"),
    "bidding_incomplete": ("QUA-11.16", "error"),
    "false_spadille": ("QUA-11.17", "error"),
    "spadille_not_shown": ("QUA-11.18", "warning"),
    "wrong_trump_namer": ("QUA-11.19", "error"),
    "trump_renamed": ("QUA-11.20", "error"),
    "trump_missing": ("QUA-11.21", "error"),
    "wrong_caller": ("QUA-11.22", "error"),
    "illegal_called_card": ("QUA-11.23", "error"),
    "card_recalled": ("QUA-11.24", "error"),
    "call_missing": ("QUA-11.25", "error"),
    "wrong_lead": ("QUA-11.26", "error"),
    "play_out_of_turn": ("QUA-11.27", "error"),
    "second_card_in_trick": ("QUA-11.28", "error"),
    "card_played_twice": ("QUA-11.29", "error"),
    "card_not_held": ("QUA-11.30", "error"),
    "revoke": ("QUA-11.31", "error"),
    "illegal_exemption": ("QUA-11.32", "error"),
    "exemption_used": ("QUA-11.33", "info"),
    "wrong_gather": ("QUA-11.34", "error"),
    "play_after_end": ("QUA-11.35", "error"),
    "play_incomplete": ("QUA-11.36", "warning"),
    "early_reveal": ("QUA-11.37", "error"),
    "false_reveal": ("QUA-11.38", "error"),
    "reveal_missing": ("QUA-11.39", "error"),
    "bad_premiers": ("QUA-11.40", "error"),
    "bad_premiers_reply": ("QUA-11.41", "error"),
    "lead_before_reply": ("QUA-11.42", "error"),
    "vole_by_lead": ("QUA-11.43", "info"),
    "claim_not_allowed": ("QUA-11.45", "error"),
    "false_claim": ("QUA-11.46", "error"),
    "score_mismatch": ("QUA-11.47", "error"),
    "pool_mismatch": ("QUA-11.48", "error"),
    "sheet_not_zero_sum": ("QUA-11.49", "error"),
    "balance_mismatch": ("QUA-11.50", "error"),
    "false_bonus": ("QUA-11.51", "error"),
    "missed_bonus": ("QUA-11.52", "warning"),
    "illegal_adjust": ("QUA-11.53", "error"),
    "action_after_match_end": ("QUA-11.54", "error"),
}

HALTING: Final = codes_of(
    IRREGULARITIES,
    "bad_pack",
    "wrong_hand_size",
    "bidding_incomplete",
    "trump_missing",
    "call_missing",
    "card_played_twice",
    "card_not_held",
    "play_incomplete",
)
"""The findings that halt a deal: its remaining actions are skipped (QUA-11.3)."""

IMPOSSIBLE: Final = codes_of(
    IRREGULARITIES, "second_card_in_trick", "card_played_twice", "card_not_held", "play_after_end"
)
"""Findings that cannot happen at a table: the record must be wrong."""

AT_NO_TIME: Final = frozenset(
    (
        *("bid_out_of_turn", "bid_after_pass", "bid_after_end", "wrong_caller", "card_recalled"),
        *("wrong_lead", "play_out_of_turn", "second_card_in_trick", "play_after_end"),
    )
)
"""Findings about a call or card out of turn or after the end, when nothing was legal."""

violation: Final = findings_of(IRREGULARITIES, AT_NO_TIME)
