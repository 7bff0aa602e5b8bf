"""Check the frame around every page."""

from __future__ import annotations

import pytest

from ledger.text.site.cards import Preferences
from ledger.text.site.frame import Frame


@pytest.mark.parametrize(
    ("path", "query", "address"),
    [
        ("/tables", "", "/tables?lang=ja"),
        ("/tables", "game=kop", "/tables?game=kop&lang=ja"),
        ("//elsewhere.example", "", "/elsewhere.example?lang=ja"),
        ('/t/a"b#c?d', "", "/t/a%22b%23c%3Fd?lang=ja"),
    ],
)
def test_a_page_in_another_language_is_one_of_ours(path: str, query: str, address: str) -> None:
    assert Frame(preferences=Preferences(), path=path, query=query, club="club").address(lang="ja") == address
