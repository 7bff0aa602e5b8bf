"""Names to show for players: beside the log, outside of its digests, so that they can be erased. The same rules for
every store.

An entry can never be erased. A club that keeps its players' privacy records them under handles, and names the handles
here.
"""

from __future__ import annotations

from collections.abc import Mapping

from ledger import limits
from ledger.errors import ConflictError, NotFoundError
from ledger.limits import exceeded
from ledger.log.words import phrase
from ledger.names import folded, hint, readable_name


def checked_display_name(name: str) -> str:
    """The name as NFC; raises `MalformedError` for one that is empty, too long or cannot be read."""
    readable = readable_name(phrase("form.not_shown_name"), name)
    if len(name) > limits.NAME_CHARS:
        raise exceeded("name", len(name), limits.NAME_CHARS, "characters")
    return readable


def with_name(names: Mapping[str, str], player: str, name: str) -> dict[str, str]:
    """These names, and this one for the player; raises `ConflictError` where it is shown for somebody else.

    Two players under one name would be taken for one.
    """
    for other, shown in names.items():
        if other != player and folded(shown) == folded(name):
            raise ConflictError("exists", phrase("name_is_shown", text=name, player=other))
    return {**names, player: name}


def without_name(names: Mapping[str, str], player: str) -> dict[str, str]:
    """These names without the player's; raises `NotFoundError` where there is none."""
    if player not in names:
        told = hint(player, names, phrase("record_stays"))
        raise NotFoundError("not_found", phrase("no_name_is_shown", text=player, hint=told))
    return {other: name for other, name in names.items() if other != player}
