"""Commands as somebody types them one after the other, and their answers: `transcripts/*.txt`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli import commands
from tests.cli.commands import ROOT, CommandLine
from tests.cli.transcripts import Transcript, all_transcripts, play


@pytest.mark.parametrize("transcript", all_transcripts(), ids=lambda transcript: transcript.name)
def test_what_is_typed_is_answered(
    bare_cli: CommandLine, transcript: Transcript, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the folder of the ledger, so that messages name it `club.ledger`."""
    monkeypatch.chdir(bare_cli.folder)
    bare_cli.made_by(getattr(commands, transcript.ledger))
    Path("replays").symlink_to(ROOT / "replays")
    bare_cli.ledger = Path("club.ledger")
    play(bare_cli, transcript)
