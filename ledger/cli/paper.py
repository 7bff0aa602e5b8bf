"""rich's console for tables of untrusted text; in a module of its own because rich is slow to import."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.text import Text

from ledger.text.layout import visible


class Paper(Console):
    """A console for untrusted text that leaves a closed pipe to the caller, where rich would exit with status 1."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError

    def render_str(self, text: str, **how: Any) -> Text:
        return super().render_str(visible(text), **how)
