"""Fixtures for texts on the command line."""

from __future__ import annotations

from tests.cli.conftest import bare_cli, cli, club, ruled

__all__ = ["bare_cli", "cli", "club", "ruled"]
