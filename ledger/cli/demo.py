"""The command `demo`: create a ledger from recorded games and show the main commands."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import click

from ledger import api
from ledger.cli.language import phrase
from ledger.cli.state import CliState, command
from ledger.errors import ConflictError
from ledger.recording.examples import replays_folder
from ledger.text.catalogue import label
from ledger.text.demo import next_steps, typed_command

_POEM: Final = "ombre/rape-of-the-lock.toml"
_CLUB: Final = (
    "session/*.toml", "session-kop/*.toml", "quadrille/match-of-four-deals.toml", "couillon/30-match-basic4-bars.toml"
)  # fmt: skip
"""The tables of the club: an evening of Ombre, one of Kop, and a match of each other game."""

_QUARREL: Final = "ombre/revoke.toml"
_EVENING: Final = "kop-night"
_DISPUTED_STEP: Final = 24
_LEDGER: Final = "club.ledger"
_PAGE: Final = "kop-night.html"
_OF_VERSION_0_1: Final = ("years.ledger*", "years.ndjson", "opening-night.html")
_MARK: Final = "about-this-folder.txt"
_MAKING: Final = "being-made"
_RECORDER: Final = "demo"
DEMO_FOLDER: Final = Path("trickledger-demo")
QUESTION: Final = (
    "SELECT card, count(*) AS led FROM plays WHERE place_in_trick = 1 GROUP BY card ORDER BY led DESC, card LIMIT 5"
)


@command(has_format=False)
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=DEMO_FOLDER,
    show_default=True,
    help="The folder for the demonstration's ledger, which is created anew each time.",
)
@click.pass_context
def demo(context: click.Context, state: CliState, folder: Path) -> None:
    """Create a ledger from recorded games and show what you can do with it."""
    replays, lang = replays_folder(), state.lang
    _clear(folder, lang)
    show = _Show(context.find_root().command, folder / _LEDGER, lang)

    show.say("demo.one_file")
    show.run("init")
    show.say("demo.literature")
    show.run("import", str(replays / _POEM))
    show.run("replay", "rape-of-the-lock", "--deal", "1")
    show.say("demo.score")
    show.run("score", "rape-of-the-lock")
    show.say("demo.club")
    show.run("import", *map(str, _records(replays, _CLUB)))
    show.run("tables")
    show.say("demo.quarrel")
    show.run("import", str(replays / _QUARREL))
    show.run("audit", "ombre-revoke")
    show.say("demo.dispute")
    show.run("dispute", "ombre-revoke", label(lang, "demo.complaint"), "--deal", "1", "--step", str(_DISPUTED_STEP))
    show.say("demo.standings")
    show.run("stats", "standings", "--session", _EVENING)
    show.say("demo.query")
    show.run("query", QUESTION)
    if all(map(find_spec, ("altair", "vl_convert", "pylopdf_fonts_jp"))):
        show.say("demo.page")
        show.run("report", _EVENING, "-o", str(folder / _PAGE))
    show.say("demo.verify")
    show.run("verify")
    serve = "trickledger serve --demo" if folder == DEMO_FOLDER else "trickledger serve"
    show.say("demo.next")
    click.echo(next_steps(folder / _LEDGER, lang, serve))


def _records(replays: Path, patterns: Iterable[str]) -> list[Path]:
    return [path for pattern in patterns for path in sorted(replays.glob(pattern))]


def demo_ledger(folder: Path, lang: str) -> Path:
    """Return the demonstration's ledger in the folder; create it silently if there is none."""
    path, replays = folder / _LEDGER, replays_folder()
    if path.exists():
        return path
    _clear(folder, lang)
    making = folder / _MAKING
    making.mkdir()
    with api.create(making / _LEDGER, handles=True) as store:
        for one in _records(replays, (_POEM, *_CLUB, _QUARREL)):
            api.import_file(store, one, api.Recording(by=_RECORDER))
        complaint, by = label(lang, "demo.complaint"), api.Recording(by=_RECORDER)
        api.dispute(store, "ombre-revoke", complaint, deal=1, step=_DISPUTED_STEP, recording=by)
    (making / _LEDGER).rename(path)
    shutil.rmtree(making)
    return path


def _clear(folder: Path, lang: str) -> None:
    """Create the folder, or remove what an earlier demonstration left there and nothing else.

    Raise `ConflictError` if it contains other files.
    """
    folder.mkdir(parents=True, exist_ok=True)
    mark = folder / _MARK
    if any(folder.iterdir()) and not mark.exists():
        raise ConflictError("exists", phrase("folder_in_use", file=folder))
    mark.write_text(label(lang, "demo.about_folder") + "\n", encoding="utf-8")
    for old in (path for name in (f"{_LEDGER}*", _PAGE, _MAKING, *_OF_VERSION_0_1) for path in folder.glob(name)):
        shutil.rmtree(old) if old.is_dir() else old.unlink()


class _Show:
    """A printer that shows each command as typed, then runs it."""

    def __init__(self, program: click.Command, ledger: Path, lang: str) -> None:
        self._program = program
        self._ledger = ledger
        self._lang = lang

    def say(self, key: str) -> None:
        click.secho(f"\n# {label(self._lang, key)}", bold=True)

    def run(self, *words: str) -> None:
        click.secho(typed_command(words), fg="green")
        try:
            self._program.main(["--ledger", str(self._ledger), "--lang", self._lang, *words], standalone_mode=False)
        except SystemExit as end:
            if end.code not in (0, 1):
                raise
            click.echo(label(self._lang, "demo.exit_status", status=end.code) if end.code else "")
