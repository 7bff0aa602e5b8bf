"""What a read model has seen of a log, and what it is to see next, where entries of some streams are held back."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from ledger.log.bulk import Cut, CutBulk


class Seen(Struct, frozen=True):
    """What changes from one cut to the next.

    `after`: the position up to which all was seen but what was held back; `before`: from which position on, by stream.
    `changed`: the streams of which more is to be seen, or less. `released`: by stream, after which position and up to
    which one entries were held back that are to be seen now. `taken_back`: by stream, the first position that was seen
    and is not to be.
    """

    after: int
    before: Mapping[str, int]
    changed: list[str]
    released: dict[str, tuple[int, int]]
    taken_back: dict[str, int]

    def known_until(self, stream: str) -> int:
        """Up to which position all entries of the stream were seen."""
        return _seen_until(self.after, self.before.get(stream))


def seen_of(source: CutBulk, after: int, cut: Cut, before: Mapping[str, int]) -> Seen:
    """What changes for a read model that stands at a position, with entries held back, when this cut is asked for.

    `source`: the log as the cut lets it be seen.
    """
    until = cut.head.position
    changed = dict.fromkeys(source.streams(after, until))
    released: dict[str, tuple[int, int]] = {}
    taken_back: dict[str, int] = {}
    for stream in {**before, **cut.held_back}:
        known = _seen_until(after, before.get(stream))
        shown = _seen_until(until, cut.held_back.get(stream))
        changed.pop(stream, None)
        if shown < known and any(source.uncut_lines_of(stream, shown, known)):
            taken_back[stream] = shown + 1
            changed[stream] = None
        elif shown > known and any(source.lines_of(stream, known, shown)):
            changed[stream] = None
            if known < after:
                released[stream] = (known, min(shown, after))
    return Seen(after, before, list(changed), released, taken_back)


def _seen_until(position: int, first_held_back: int | None) -> int:
    return position if first_held_back is None else min(position, first_held_back - 1)
