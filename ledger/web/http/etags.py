"""Entity tags: what an answer changes with, as counts (contract of HTTP, section 1). Never a digest of anything."""

from __future__ import annotations

import re
from collections.abc import Hashable
from typing import Final

from msgspec import Struct

from ledger import __version__
from ledger.access.grants import Role
from ledger.service.visibility import View
from ledger.table.repository import TABLE_PREFIX
from ledger.web.http.reading import eyes_of, reading_of, view_of
from ledger.web.http.request import Asked
from ledger.zones import UTC


class Tag(Struct, frozen=True):
    """The tag of an answer. `counts`: of what it rests on; `key`: all that it depends on, for whoever keeps answers."""

    text: str
    counts: str
    key: Hashable

    def is_known(self, if_none_match: str | None) -> bool:
        """Whether the client has this answer, as it says. `*` says no more than that it has any (`is_any`)."""
        if if_none_match is None:
            return False
        return any(one.strip().removeprefix("W/") == self.text for one in if_none_match.split(","))


def is_any(if_none_match: str | None) -> bool:
    """Whether the client wants nothing where there is anything; whether there is is to be found out first."""
    return if_none_match is not None and if_none_match.strip() == "*"


def tag_of(asked: Asked) -> Tag | None:
    """The tag of what is asked; None where there is none, as for what nothing depends on, or no table that is there."""
    service = asked.service
    match asked.route.rests_on:
        case "nothing":
            return None
        case "program":
            return _tag(asked, "0", View(hands=False, writer="", seat=None))
        case "table":
            version = service.versions.get(TABLE_PREFIX + asked.parameters["table"])
            return None if version is None else _tag(asked, f"{version}-{service.session_entries}", eyes_of(asked))
        case "entries":
            version = service.versions.get(f"{asked.parameters['kind']}/{asked.parameters['slug']}")
        case "history":
            version = service.history.position
            counts = f"{version}-{asked.horizon.reaches}"
            if not service.history.knows(asked.horizon.persons):
                counts += "-behind"  # and soon another answer, of the same counts
            if (season_from := service.settings.season_from) is not None:
                counts += f"-{season_from}"
            if (zone := service.settings.zone) != UTC:
                counts += f"-{zone}"
            return _tag(asked, counts, view_of(asked), asked.grant.role)
        case "head":
            version = asked.horizon.head.position
    return None if version is None else _tag(asked, f"{version}-{asked.horizon.reaches}", view_of(asked))


def _tag(asked: Asked, version: str, view: View, role: Role | None = None) -> Tag:
    """`role`: where the answer names players, some of whom not everybody is told."""
    reading = reading_of(asked.query)
    if asked.media != asked.route.media[0]:
        reading += "-" + re.sub("[^a-z0-9]+", "-", asked.media.partition("/")[2])
    words = (version, str(asked.horizon.names), reading, _class_of(view, role), asked.lang, _PROGRAM)
    return Tag(f'"{".".join(words)}"', version, (*words, view, asked.grant.role))


_PROGRAM: Final = __version__.replace(".", "-")


def _class_of(view: View, role: Role | None) -> str:
    """Whether hidden cards are seen, and by whom: `all`, `seat`, or `seen` by everybody; and whose names."""
    seat = "seen" if view.seat is None else f"seat{view.seat[1]}"
    cards = "all" if view.hands else seat
    return cards if role is None else f"{cards}-{role}"
