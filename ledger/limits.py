"""Limits on everything from outside: one constant each, and the error that names size and limit.

They keep a mistake or an attack from filling memory and disk; no club comes near them (docs/reference/limits.md).
"""

from __future__ import annotations

from typing import Final

from ledger.errors import MalformedError
from ledger.i18n import Text, phrases

_phrase: Final = phrases("ledger.i18n")

LINE_BYTES: Final = 1_000_000
"""One line of NDJSON, or a correction on standard input: one event, including the events inside it."""

FILE_BYTES: Final = 4_000_000_000
"""One file of lines, or one ledger to merge: ten million events."""

HAND_RECORD_CHARS: Final = 1_000_000
"""One hand record, which is read as a whole: ten times a long evening at one table."""

HAND_RECORD_DEALS: Final = 10_000
"""Deals of one hand record."""

HAND_RECORD_LINES: Final = 1_000
"""Lines of calls, exchanges or tricks of one deal."""

CARDS_CHARS: Final = 1_000
"""Cards that a hand record names in a row, as typed."""

LEAGUE_RULES_CHARS: Final = 100_000
"""One file with the rules of a league."""

PLAYERS_CHARS: Final = 1_000_000
"""One list of players of a simulated club: ten thousand and more."""

KEY_BYTES: Final = 10_000
"""One file with a key."""

RECEIPT_BYTES: Final = 10_000_000
"""One receipt, or one checkpoint with its signatures: a deal with thousands of entries, and the proof of each."""

WITNESS_REQUEST_BYTES: Final = 1_000_000
"""One request to a witness, or its answer: a checkpoint with all its signatures, and a proof."""

CLUBS_BYTES: Final = 10_000_000
"""The list of the clubs of a witness: fifty thousand keys and more."""

WITNESS_LIST_BYTES: Final = 100_000_000
"""One daily list of a witness: half a million clubs."""

SIGNATURES: Final = 1_000
"""Signatures under one checkpoint: of its ledger's key, and of witnesses."""

EVENTS_PER_APPEND: Final = 1_000_000
"""Events recorded all or nothing, e.g. those of one file of bare lines."""

STREAMS_PER_FILE: Final = 100_000
"""Tables and sessions in one file."""

DEALS_PER_TABLE: Final = 100_000
"""Deals of one table, which is one sitting."""

CORRECTION_EVENTS: Final = 1_000
"""Events that one correction puts in place of an entry."""

OPTION_NUMBER: Final = 1_000_000
"""A number among a table's options: a pool that doubles with every deal lost stays countable the longer."""

NAME_CHARS: Final = 200
"""The name of a player, a recorder, a session, a club or a place."""

SIGN_IN_NAME_CHARS: Final = 100
"""A name typed at sign-in: with the token's id before it, it is still the name of a recorder."""

SESSIONS_PER_TOKEN: Final = 1_000
"""Browsers signed in by one token or table code: one more ends the session of the first."""

TEXT_CHARS: Final = 10_000
"""A note, a reason, a ruling."""

AMOUNT_MAX: Final = 10**12
"""Counters or points of one ruling or score sheet: sums of a million of them are still exact in every program."""

SLUG_CHARS: Final = 64
"""The name of a table or session in its stream."""

QUERY_CHARS: Final = 100_000
"""One query in SQL."""

QUERY_SECONDS: Final = 60
"""The time limit of a query, unless the caller sets another."""

QUERY_ROWS: Final = 100_000
"""Rows of an answer, unless the caller sets another limit."""

QUERY_MEMORY_BYTES: Final = 2_000_000_000
"""The memory that a query may use."""

QUERY_ANSWER_BYTES: Final = 100_000_000
"""An answer that is printed."""

QUERY_FILE_BYTES: Final = 4_000_000_000
"""An answer as a Parquet file, which no process holds in memory."""


def exceeded(what: str, size: int, limit: int, unit: str, where: Text | None = None) -> MalformedError:
    """Return the error for something larger than its limit, with its size and the limit.

    `what` and `unit` are keys of the catalogue's table `limit`.
    """
    what_happened = _phrase("limit.exceeded", what=_phrase(f"limit.{what}"), size=_phrase(f"limit.{unit}", number=size))
    most = _phrase("limit.at_most", size=_phrase(f"limit.{unit}", number=limit))
    return MalformedError(what_happened, most, where=where, code="too_large", limit=limit)
