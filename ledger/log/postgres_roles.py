"""The privileges of users of a database with ledgers, as GRANT statements for its owner to run.

They hold for all ledgers of a database: clubs that must not read each other need a database each. Nobody but the owner
can change or remove entries, and the tokens of the service are readable to the service alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias, get_args

DatabaseRole: TypeAlias = Literal["viewer", "recorder", "service"]
"""A viewer reads; a recorder also records and names players, e.g. from the command line; the service also holds tokens
and signs browsers in. The owner, who creates ledgers, needs only CREATE on the database.
"""

DATABASE_ROLES: Final[tuple[DatabaseRole, ...]] = get_args(DatabaseRole)

_PEOPLE: Final = "trickledger.display_names, trickledger.player_links, trickledger.hidden_players"

_VIEWER: Final = (
    "GRANT USAGE ON SCHEMA trickledger TO {user}",
    f"GRANT SELECT ON trickledger.ledgers, trickledger.heads, trickledger.entries, {_PEOPLE} TO {{user}}",
)
_RECORDER: Final = (
    *_VIEWER,
    "GRANT INSERT ON trickledger.entries TO {user}",
    "GRANT UPDATE (position, digest, names) ON trickledger.heads TO {user}",
    f"GRANT INSERT, DELETE ON {_PEOPLE} TO {{user}}",
)
_SERVICE: Final = (
    *_RECORDER,
    "GRANT SELECT, INSERT, UPDATE (newest) ON trickledger.access TO {user}",
    "GRANT SELECT, INSERT, UPDATE (facts, seal) ON trickledger.tokens TO {user}",
    "GRANT SELECT, INSERT, DELETE ON trickledger.sessions TO {user}",
    "GRANT SELECT, INSERT, UPDATE (number) ON trickledger.used_names TO {user}",
)
_STATEMENTS: Final[Mapping[DatabaseRole, tuple[str, ...]]] = {
    "viewer": _VIEWER,
    "recorder": _RECORDER,
    "service": _SERVICE,
}


def grants(role: DatabaseRole, user: str) -> list[str]:
    """Return the statements that give a user a role."""
    quoted = '"' + user.replace('"', '""') + '"'
    return [line.format(user=quoted) for line in _STATEMENTS[role]]
