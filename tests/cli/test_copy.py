"""`copy --follow`: what it prints while its source goes on, is lost and comes back; Ctrl-C is its normal end."""

from pathlib import Path
from unittest.mock import Mock

import pytest

from tests.cli.commands import CommandLine, small_club

AWAY = Path("away.ledger")


@pytest.mark.parametrize(("lang", "said"), [
    ("en", ["Level with club.ledger: 42 ", "Interrupted: there is no ledger", "Level with", "Stopped: 43 "]),
    ("ja", ["club.ledgerに追いついています:記録42件", "中断しました:", "club.ledgerに追", "終わりました:記録43件"]),
])  # fmt: skip
def test_a_copy_follows_until_ctrl_c(
    bare_cli: CommandLine, monkeypatch: pytest.MonkeyPatch, lang: str, said: list[str]
) -> None:
    club = bare_cli.made_by(small_club)
    monkeypatch.chdir(club.folder)

    def lose() -> None:
        club.record({"type": "noted", "text": "later"})
        club.ledger.rename(AWAY)

    interrupt = Mock(side_effect=KeyboardInterrupt)
    parts = iter((lambda: None, lose, lambda: None, lambda: AWAY.rename(club.ledger), interrupt))
    monkeypatch.setattr("ledger.api.proofs.sleep", lambda seconds: next(parts)())
    lines = club.ok("copy", "club.ledger", "copy.ledger", "--follow", lang=lang).splitlines()
    assert [line[: len(start)] for line, start in zip(lines, said, strict=True)] == said
    assert not Path("copy.ledger-wal").exists()
