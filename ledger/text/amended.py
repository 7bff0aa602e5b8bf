"""What was corrected of a dispute or ruling, told wherever one is shown: what it was, by whom, when and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from ledger.table.amendments import DIRECTORS_TYPES
from ledger.table.answers import CorrectedBy, Struck
from ledger.table.corrections import Signature
from ledger.table.two_readings import CorrectionSeen
from ledger.text.events import whole_event_text
from ledger.text.words import Wording, writer_name
from ledger.zones import moment_text

_INDENT: Final = "    "


class Amendments(Struct, frozen=True):
    """How corrections of a director's entries are told. `signed`: who recorded them, by version; `zones`: as a moment
    is told in."""

    wording: Wording
    signed: Mapping[int, Signature]
    zones: tuple[str | None, ...] = ()

    def corrected(self, corrections: Sequence[CorrectedBy], players: Sequence[str]) -> Iterator[str]:
        """A line for each correction of what is shown above it, with what was read before."""
        for one in corrections:
            was = whole_event_text(one.was, players, self.wording) if one.was else self.wording.say("nothing")
            yield self.wording.say("amended.by_was", by=self._by(one), was=was)

    def struck(self, struck: Sequence[Struck], players: Sequence[str]) -> Iterator[str]:
        """What is no longer read, and below it by what; those that follow are further in."""
        for one in struck:
            what = whole_event_text(one.event, players, self.wording)
            yield self.wording.say("amended.struck", version=one.version, what=what)
            if len(one.corrected_by) == 1:
                yield _INDENT + self._by(one.corrected_by[0])
            else:
                yield from (_INDENT + line for line in self.corrected(one.corrected_by, players))

    def by(self, seen: CorrectionSeen) -> str:
        """By which correction an entry is read so; of a director's, by whom and when as well."""
        if any(isinstance(event, DIRECTORS_TYPES) for event in (seen.written, *seen.read)):
            return self._by(seen)
        return self.wording.say("by_correction", version=seen.version, reason=seen.reason)

    def _by(self, one: CorrectedBy | CorrectionSeen) -> str:
        return self.wording.say(
            "amended.by", version=one.version, signed=self._signature(one.version), reason=one.reason
        )

    def _signature(self, version: int) -> str:
        signature = self.signed.get(version)
        if signature is None:
            return ""
        at, by = signature.recorded_at, signature.recorded_by
        name = writer_name(by, self.wording.lang) if self.wording.is_written else by
        told = [name] if at is None else [name, moment_text(at, *self.zones)]
        return self.wording.say("amended.signed", by=self.wording.listed(told))
