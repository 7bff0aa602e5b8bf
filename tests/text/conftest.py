"""Texts are read where people read them: on the command line."""

from tests.cli.conftest import bare_cli, cli, club

__all__ = ["bare_cli", "cli", "club"]
