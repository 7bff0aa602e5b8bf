"""The console of rich as tables of others' texts need it; apart, because rich takes long to load."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.text import Text

from ledger.text.layout import visible


class Paper(Console):
    """A console for texts of others. A reader who has gone away is left to the caller; rich would end with status 1."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError

    def render_str(self, text: str, **how: Any) -> Text:
        return super().render_str(visible(text), **how)
