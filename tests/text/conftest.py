"""Fixtures for texts on the command line."""

from tests.cli.conftest import bare_cli, cli, club, ruled

__all__ = ["bare_cli", "cli", "club", "ruled"]
