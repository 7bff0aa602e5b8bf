"""README.md: its commands run for an installed user, and its pictures exist and show the program as it is."""

import re
import shlex
from collections.abc import Sequence
from contextlib import chdir
from pathlib import Path

import pytest
from click.testing import CliRunner

from ledger.cli import main
from ledger.extras import EXTRAS
from ledger.recording.examples import replays_folder
from tests.test_project import PROJECT, words_of
from tools.gallery_readme import FRAMES, IMAGES, ROOT, THEMES, Screen, recording, screens

README = words_of("README.md")
INSTALL = words_of("docs/how-to/install.md")
COMMANDS = re.findall(r"(?:^|`)trickledger ([^`#\n]+)", README, re.MULTILINE)
KILOBYTES_MAX = 400


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("club")


@pytest.fixture(scope="module")
def shown(folder: Path) -> Sequence[Screen]:
    """Return the frames of the recording; their commands leave the example club in the folder."""
    return list(screens(folder))


@pytest.mark.parametrize("theme", THEMES)
def test_the_recording_shows_what_the_commands_print(shown: Sequence[Screen], theme: str) -> None:
    drawn = (ROOT / IMAGES / f"terminal-{theme}.svg").read_text(encoding="utf-8")
    assert drawn == recording(shown, theme), "write it anew: python -m tools.gallery_readme"


def test_every_command_runs_in_the_folder_of_an_installed_user(shown: Sequence[Screen], folder: Path) -> None:
    run = {command for commands, _ in FRAMES for command in commands}
    assert len(COMMANDS) >= 8 and run & set(map(str.strip, COMMANDS))
    with chdir(folder):
        for name, *words in map(shlex.split, set(map(str.strip, COMMANDS)) - run):
            if name in ("doctor", "serve"):  # slow, and running until Ctrl-C
                main.commands[name].make_context(name, words)
            else:
                answered = CliRunner().invoke(main, [name, *words])
                assert answered.exit_code in (0, 1), answered.output


def test_the_examples_are_all_the_recorded_deals(shown: Sequence[Screen], folder: Path) -> None:
    copied = {path.relative_to(folder / "examples"): path.read_bytes() for path in folder.glob("examples/**/*.*")}
    source = replays_folder()
    assert copied == {path.relative_to(source): path.read_bytes() for path in source.rglob("*.toml")}


def test_the_pictures_are_small_light_and_dark_and_described() -> None:
    pictures = re.findall(
        r'<picture>\s*<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)">\s*'
        r'<img alt="([^"]+)" src="([^"]+)"[^>]*>\s*</picture>',
        README,
    )
    files = [name for dark, _, light in pictures for name in (dark, light)]
    assert sorted(files) == sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / IMAGES).iterdir())
    assert all(dark == light.replace("light", "dark") and len(alt) > 80 for dark, alt, light in pictures)
    assert sum((ROOT / name).stat().st_size for name in files) < KILOBYTES_MAX * 1000
    assert README.index("</picture>", README.index("</picture>") + 1) < README.index("\n## ")


def test_the_line_under_the_title_is_true() -> None:
    project = PROJECT["project"]
    pythons = re.findall(r"Python :: (3\.\d+)", " ".join(project["classifiers"]))
    assert (
        f"\nVersion {project['version']} · Python {', '.join(pythons)} · Linux and macOS · [Apache 2.0](LICENSE)\n"
        in README
    )
    assert project["license"] == "Apache-2.0"


def test_it_is_short_and_two_commands_do_all_the_set_up_of_a_clone() -> None:
    assert len(README.splitlines()) < 150
    assert set(re.findall(r"(?:^|`)make ([a-z-]+)", README, re.MULTILINE)) == {"demo", "test"}
    assert all(f"| `{extra}` |" in INSTALL for extra in (*EXTRAS, "all"))
