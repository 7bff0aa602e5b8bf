"""The irregularities of the rulebook's section 11: name, id and severity (WHI-11.10 to 11.25)."""

from __future__ import annotations

from typing import Final

from ledger.games.kernel.findings import Severity, findings_of

IRREGULARITIES: Final[dict[str, tuple[str, Severity]]] = {
    "after_match": ("WHI-11.10", "error"),
    "wrong_dealer": ("WHI-11.11", "warning"),
    "bad_deal": ("WHI-11.12", "error"),
    "wrong_turned_card": ("WHI-11.13", "error"),
    "trump_not_turned": ("WHI-11.14", "error"),
    "wrong_lead": ("WHI-11.15", "error"),
    "play_out_of_turn": ("WHI-11.16", "error"),
    "card_played_twice": ("WHI-11.17", "error"),
    "card_not_held": ("WHI-11.18", "error"),
    "revoke": ("WHI-11.19", "error"),
    "play_after_end": ("WHI-11.20", "error"),
    "wrong_gather": ("WHI-11.21", "warning"),
    "incomplete_play": ("WHI-11.22", "error"),
    "wrong_result": ("WHI-11.23", "error"),
    "score_mismatch": ("WHI-11.24", "error"),
    "deal_voided": ("WHI-11.25", "info"),
}

violation: Final = findings_of(IRREGULARITIES)
