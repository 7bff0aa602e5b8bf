"""The registration of games from installed packages, and the guide that shows how one is written."""

from __future__ import annotations

import re
import shutil
import tomllib
from pathlib import Path

import pytest

import ledger.games
from ledger.errors import MalformedError
from ledger.games import BUILT_IN, game_named, refused_games, registered_games, rule_named
from ledger.games.kernel.protocol import INTERFACE, Game
from ledger.games.kernel.rulebook import load
from ledger.i18n import in_words
from tests.cli.guide import Reader, commands, settled
from tests.japanese import assert_has_japanese, assert_speaks_japanese
from tests.thirdparty.conftest import ROOT, WHIST, Installed, install

USURPER = """
from dataclasses import replace
from trickledger_whist import GAME as WHIST
OMBRE = replace(WHIST, name="ombre")
BRIDGE = replace(WHIST, name="bridge")
THIEF = replace(WHIST, name="thief", rule_prefix="OMB", package="usurper")
OLD = replace(WHIST, name="old", interface=1)
WORD = "whist"
"""

WRONG = tomllib.loads(Path(__file__).with_name("wrong_points.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def bad_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a package that registers forbidden things."""
    folder = tmp_path_factory.mktemp("bad")
    (folder / "usurper.py").write_text(USURPER, encoding="utf-8")
    points = "".join(f"{point} = {value}\n" for point, (value, _) in WRONG.items())
    install(folder, "trickledger-usurper", f"[ledger.games]\n{points}")
    return folder


@pytest.fixture
def registry(site: Path, bad_site: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.syspath_prepend(str(bad_site))
    ledger.games._registry.cache_clear()
    yield registered_games()
    ledger.games._registry.cache_clear()


def test_a_package_adds_its_game_to_ours(registry) -> None:
    assert list(registry) == [*(game.name for game in BUILT_IN), "whist"]


def test_our_games_stay_ours(registry) -> None:
    assert all(registry[game.name] is game for game in BUILT_IN)
    assert rule_named("OMB-6.5") in load("ombre").rules


def test_every_refusal_has_its_reason(registry) -> None:
    reasons = refused_games()
    for reason in reasons.values():
        assert_has_japanese(reason)
    assert {point: why for point, (_, why) in WRONG.items()} == {
        point: in_words(reason).removesuffix("; expected rubber") for point, reason in reasons.items()
    }


def test_the_error_for_an_unusable_game_gives_the_reason(registry) -> None:
    with pytest.raises(MalformedError) as refused:
        game_named("lost")
    why = "this game is installed but cannot be used (No module named 'nowhere_at_all'): 'lost'; expected "
    assert str(refused.value).startswith(why)
    assert_speaks_japanese(refused.value)


def test_an_unusable_package_does_not_stop_other_commands(site: Path, bad_site: Path, tmp_path: Path) -> None:
    club = Installed(tmp_path, [bad_site, site])
    assert '"game":"ombre"' in club.ok("simulate", "ombre", "--deals", 1)
    assert "Cards are written suit then rank" in club.ok("rules", "ombre")
    club.ok("simulate", "whist", "--players", 4, "--deals", 1)


def test_the_games_are_written_for_this_interface_and_one_that_declares_none_for_the_first(registry) -> None:
    assert {game.interface for game in registry.values()} == {INTERFACE}
    assert Game.__dataclass_fields__["interface"].default == 1


GUIDE = ROOT / "docs" / "how-to" / "adding-a-game.md"
TEXT = GUIDE.read_text(encoding="utf-8")
PACKAGE = WHIST / "trickledger_whist"
EXCERPTS = re.findall(r"<!-- from: (\S+) -->\n```\w+\n(.*?)```\n", TEXT, re.DOTALL)
CONSOLE = re.findall(r"```console\n(.*?)```\n", TEXT, re.DOTALL)


def test_every_excerpt_is_in_the_package() -> None:
    assert [file for file, excerpt in EXCERPTS if excerpt not in (PACKAGE / file).read_text(encoding="utf-8")] == []


def test_every_file_of_the_package_is_shown() -> None:
    shown = {(PACKAGE / file).resolve() for file, _ in EXCERPTS}
    assert {path.resolve() for path in PACKAGE.rglob("*") if path.suffix in (".py", ".md", ".toml")} <= shown


@pytest.mark.usefixtures("whist")
def test_every_command_prints_what_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(WHIST / "evening.toml", tmp_path)
    monkeypatch.chdir(tmp_path)
    reader = Reader()
    for shown in CONSOLE:
        session = "".join(f"$ {command}\n{reader.type(command)}" for command in commands(shown))
        lines = "\n".join(line.rstrip() for line in session.splitlines()).rstrip("\n")
        assert settled(shown).rstrip("\n") == settled(lines)
