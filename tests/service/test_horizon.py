"""How far everybody may see, where a table cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest

import ledger
from ledger.service import horizon
from ledger.table.hiding import hidden_in
from tests.web.serving import OMBRE, SEER, record, serving


def test_a_table_whose_game_fails_keeps_no_other_from_being_served_and_shows_no_hands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "club.ledger"
    with ledger.create(path) as store:
        record(store, "one", OMBRE[0])
        record(store, "two", *OMBRE)

    def fails(entries: object) -> object:
        if len(entries) > 1:  # type: ignore[arg-type]
            raise ZeroDivisionError
        return hidden_in(entries)  # type: ignore[arg-type]

    monkeypatch.setattr(horizon, "hidden_in", fails)
    with serving(path) as served:
        assert served.ok("/tables/one/score")["table"] == "one"
        shown = served.get("/streams/table/two/entries")
        assert shown.status_code == 200
        assert '"SA"' not in shown.text
        assert '"SA"' in served.get("/streams/table/two/entries", who=SEER).text
        assert [one["digest"] is None for one in shown.json()] == [True] * 4
