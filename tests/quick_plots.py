"""Plots that are not drawn, for tests of words on pages: a drawing takes a quarter of a second."""

import json
from html import escape
from typing import Any

import pytest


def undrawn(spec: Any) -> str:
    """Return a picture that holds everything from which the plot would be drawn."""
    return f"<svg>{escape(json.dumps(spec, ensure_ascii=False))}</svg>"


@pytest.fixture
def quick_plots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ledger.plots.export.svg", undrawn)
