"""The command `demo`: a ledger made from recorded games, replayed, scored, audited and counted before your eyes."""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from pathlib import Path

import click

from ledger.cli.words import phrase
from ledger.errors import ConflictError, NotFoundError
from ledger.text.demo import next_steps, typed_command

_POEM = "ombre/rape-of-the-lock.toml"
_QUARREL = "ombre/revoke.toml"
_SESSION = "session/*.toml"
_EXAMPLES = "ombre/[0-9]*.toml"
_LEDGER = "club.ledger"
_MARK = "about-this-folder.txt"
_ABOUT = "Made by `trickledger demo`, which makes it anew each time.\n"
_QUESTION = "SELECT card, count(*) AS led FROM plays WHERE place_in_trick = 1 GROUP BY card ORDER BY led DESC LIMIT 5"


def replays_folder() -> Path:
    """Where the recorded games are: beside the package in the project, inside it where it was installed."""
    package = Path(__file__).parent.parent
    for folder in (package.parent / "replays", package / "replays"):
        if (folder / _POEM).exists():
            return folder
    raise NotFoundError("not_installed", phrase("no_replays", text=_POEM, package=package))


@click.command()
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("trickledger-demo"),
    show_default=True,
    help="Where the demonstration's ledger is made; made anew each time.",
)
@click.pass_context
def demo(context: click.Context, folder: Path) -> None:
    """Make a ledger from recorded games and show what can be done with it."""
    replays = replays_folder()
    _clear(folder)
    show = _Show(context.find_root().command, folder / _LEDGER)

    show.say("A ledger is one file. It is made once:")
    show.run("init")
    show.say("A game from literature: Belinda's hand in Alexander Pope's The Rape of the Lock, canto III (1714).")
    show.run("import", str(replays / _POEM))
    show.run("replay", "rape-of-the-lock", "--deal", "1")
    show.say("What may Belinda play, and what not? The state after any step answers:")
    show.run("replay", "rape-of-the-lock", "--deal", "1", "--step", "12")
    show.say("The score sheet explains every counter by the rule that moves it:")
    show.run("score", "rape-of-the-lock")
    show.say("A club's evening, several tables typed from paper sheets:")
    show.run("import", *sorted(map(str, replays.glob(_SESSION))))
    show.run("tables")
    show.say("Every worked example of the rulebook, as the tables of one session:")
    show.run("import", *sorted(map(str, replays.glob(_EXAMPLES))))
    show.say("A quarrel: was that a revoke? The audit cites the rule and what could have been played:")
    show.run("import", str(replays / _QUARREL))
    show.run("audit", "ombre-revoke")
    show.say("Who won the evening, and what do the contracts bring?")
    show.run("stats", "standings", "--session", "opening-night")
    show.run("stats", "contracts")
    show.say("Any other question is SQL:")
    show.run("query", _QUESTION)
    if all(map(find_spec, ("altair", "vl_convert", "pylopdf_fonts_jp"))):
        show.say("The evening on one page for the printer, with plots:")
        show.run("report", "opening-night", "-o", str(folder / "opening-night.html"))
    show.say("And the record itself cannot be changed unnoticed:")
    show.run("verify")
    show.next_steps()


def _clear(folder: Path) -> None:
    """Make the folder, or remove what an earlier demonstration left there, and nothing that anybody else did."""
    folder.mkdir(parents=True, exist_ok=True)
    mark = folder / _MARK
    if any(folder.iterdir()) and not mark.exists():
        raise ConflictError("exists", phrase("folder_in_use", file=folder))
    mark.write_text(_ABOUT, encoding="utf-8")
    for old in folder.glob(f"{_LEDGER}*"):
        shutil.rmtree(old) if old.is_dir() else old.unlink()


class _Show:
    """Prints a command as it would be typed, then runs it."""

    def __init__(self, program: click.Command, ledger: Path) -> None:
        self._program = program
        self._ledger = ledger

    def say(self, text: str) -> None:
        click.secho(f"\n# {text}", bold=True)

    def run(self, *words: str) -> None:
        click.secho(typed_command(words), fg="green")
        try:
            self._program.main(["--ledger", str(self._ledger), *words], standalone_mode=False)
        except SystemExit as end:
            if end.code not in (0, 1):
                raise
            click.echo(f"(exit status {end.code})" if end.code else "")

    def next_steps(self) -> None:
        self.say("Next:")
        click.echo(next_steps(self._ledger))
