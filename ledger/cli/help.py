"""The command `help`: the help of the program or of one command."""

from __future__ import annotations

import click

from ledger.cli.state import CliState, command


@command(has_format=False)
@click.argument("name", metavar="COMMAND", required=False)
@click.pass_context
def help(context: click.Context, state: CliState, name: str | None) -> None:  # noqa: A001 - the name of the command
    """Show the help of COMMAND, or of the whole program."""
    program = context.find_root()
    if name is None:
        click.echo(program.get_help())
        return
    assert isinstance(program.command, click.Group), "the program is a group of commands"
    _, chosen, _ = program.command.resolve_command(program, [name])
    assert chosen is not None, "an unknown command is an error of click"
    click.echo(click.Context(chosen, info_name=name, parent=program).get_help())
