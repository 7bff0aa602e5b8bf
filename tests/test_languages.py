"""Languages as catalogues: name, plural forms, order of letters, and English for missing texts."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import cast

import pytest

import ledger
from ledger.errors import MalformedError
from ledger.games.kernel.protocol import game_title
from ledger.i18n import LANGUAGES, Phrase, Words, catalogue, labels, plural_forms, sentence, word
from ledger.i18n.languages import plural_categories, plural_category, plural_rule
from ledger.names import sorted_names
from tests.catalogues import gaps

ROOT = Path(__file__).parent.parent

MADE_UP = tomllib.loads(Path(__file__).with_name("polish.toml").read_text(encoding="utf-8"))
POLISH: dict[str, str] = MADE_UP["plurals"]

SCRIPT = """
import json, sys
import msgspec
from click.testing import CliRunner
from ledger.cli import main
from ledger.i18n import LANGUAGES, plural_forms
from ledger.i18n.languages import language_names, plural_categories
from ledger.names import sorted_names
from ledger.text.catalogue import counted
from ledger.web.pages.settings import SettingsSent

def run(*words, lang="pl"):
    return CliRunner().invoke(main, ["--ledger", sys.argv[1], "--lang", lang, *words]).output

print(json.dumps({
    "languages": LANGUAGES,
    "names": dict(language_names()),
    "categories": plural_categories("pl"),
    "counted": [counted("pl", number, "table") for number in (1, 2, 5, 12, 22, 1000)],
    "lacking": counted("pl", 2, "deal"),
    "forms": dict(plural_forms("ledger.text.site", "pl", "queue.not_sent", count="{count}")),
    "sorted": sorted_names(["Żaneta", "Zofia", "Łucja", "Lidia", "Ćwik", "Cezary", "Dawid", "celina"], "pl"),
    "chosen": msgspec.convert({"language": "pl", "theme": "light", "letters": "pl"}, SettingsSent).language,
    "imported": [run("init"), run("import", sys.argv[2])][1],
    "shown": {lang: [run(*words.split(), lang=lang) for words in sys.argv[3:]] for lang in ("en", "pl")},
}))
"""


@pytest.fixture(scope="module")
def polish(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """Return the program's answers with made-up catalogues added and no code changed."""
    tree = tmp_path_factory.mktemp("polish")
    package = Path(ledger.__file__).parent
    for path in package.rglob("*"):
        if path.is_file():
            link = tree / "ledger" / path.relative_to(package)
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(path)
    rules = "".join(f'plurals.{category} = "{rule}"\n' for category, rule in POLISH.items())
    for room, text in MADE_UP["catalogues"].items():
        content = text + rules if room == "i18n" else text
        (tree / "ledger" / room / "messages" / "pl.toml").write_text(content, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, tree / "club.ledger", ROOT / "replays/ombre/revoke.toml", *MADE_UP["commands"]],
        env={**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=tree,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answers: dict[str, object] = json.loads(done.stdout)
    return answers


def test_a_new_file_is_a_new_language_with_its_order_of_letters(polish: dict[str, object]) -> None:
    assert polish["languages"] == ["en", "ja", "pl"]
    assert polish["names"] == {"en": "English", "ja": "日本語", "pl": "polski"}
    assert polish["chosen"] == "pl"
    assert polish["sorted"] == ["celina", "Cezary", "Ćwik", "Dawid", "Lidia", "Łucja", "Zofia", "Żaneta"]


def test_its_nouns_have_all_its_plural_forms(polish: dict[str, object]) -> None:
    assert polish["categories"] == ["one", "few", "many", "other"]
    assert polish["counted"] == ["1 stół", "2 stoły", "5 stołów", "12 stołów", "22 stoły", "1,000 stołów"]
    assert polish["forms"] == {
        "one": "1 niewysłane",
        "few": "{count} niewysłane",
        "many": "{count} niewysłanych",
        "other": "{count}",
    }


def test_missing_texts_are_in_english(polish: dict[str, object]) -> None:
    assert polish["lacking"] == "2 deals"
    assert "zapisano: 1 stół, 1 deal, " in str(polish["imported"])
    shown = cast("dict[str, list[str]]", polish["shown"])
    note = "  Only in English so far: the rules of Ombre.\n"
    assert shown["pl"][0].count(note) == 1
    assert [text.replace(note, "") for text in shown["pl"]] == shown["en"]
    assert all(shown["en"])


@pytest.mark.parametrize(
    ("lang", "categories"), [("en", ["other", "one", "other"]), ("ja", ["other", "other", "other"])]
)
def test_english_has_a_singular_and_japanese_has_none(lang: str, categories: list[str]) -> None:
    assert [plural_category(lang, number) for number in (0, 1, 2)] == categories
    assert set(categories) == set(plural_categories(lang))


def test_a_rule_that_cldr_does_not_have_is_an_error() -> None:
    with pytest.raises(AssertionError, match="not a relation of a plural rule: i is 1"):
        plural_rule("i is 1")


def test_a_text_without_forms_is_the_same_for_every_number() -> None:
    assert plural_forms("ledger.text.site", "ja", "queue.not_sent", count=3) == {"other": "未送信3件"}
    assert plural_forms("ledger.text.site", "en", "queue.not_sent", count=3) == {
        "one": "1 not sent",
        "other": "3 not sent",
    }


ENGLISH_GAME: str = MADE_UP["english_game"]


@pytest.fixture
def english_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Make the package of a game that has only an English catalogue."""
    name = f"english_{tmp_path.name.replace('-', '_')}"
    messages = tmp_path / name / "messages"
    messages.mkdir(parents=True)
    (messages.parent / "__init__.py").touch()
    (messages / "en.toml").write_text(ENGLISH_GAME, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    return name


def test_a_game_without_a_language_speaks_english_in_it(english_game: str) -> None:
    assert sentence(english_game, Words("revoke", {"seat": 0, "card": "SA"}), ["Zoë"], "ja") == "Zoë played ♠A"
    assert word(english_game, "pass", "ja") == "pass it on"
    assert labels(english_game)("ja", "tricks", count=1) == "1 trick"
    assert Phrase(english_game, "tricks", {"count": 2}).in_words("ja") == "2 tricks"
    assert game_title(english_game, "bridge", "Bridge").in_words("ja") == "Bridge"
    assert catalogue(english_game, "ja") == catalogue(english_game, "en")


def test_its_errors_are_in_english_too(english_game: str) -> None:
    error = MalformedError("deals", Phrase(english_game, "tricks", {"count": 3}), "4")
    assert error.message("ja") == "deals: '4'(正しくは3 tricks)"


def test_the_gaps_of_a_language_are_named(tmp_path: Path) -> None:
    (tmp_path / "en.toml").write_text(ENGLISH_GAME, encoding="utf-8")
    assert gaps(tmp_path, "ja") == ["nobody", "revoke", "tricks", "words.pass"]
    (tmp_path / "pl.toml").write_text('nobody = "nikt"\n[words]\npass = "pas"\n', encoding="utf-8")
    assert gaps(tmp_path, "pl") == ["revoke", "tricks"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_names_are_sorted_by_letters_whatever_their_case_and_accents(lang: str) -> None:
    names = ["Zoë", "ann", "Émile", "Ann", "Eve", "Ølve", "Otto", "さくら", "アキ", "Bob 2"]
    assert sorted_names(names, lang) == ["Ann", "ann", "Bob 2", "Émile", "Eve", "Ølve", "Otto", "Zoë", "アキ", "さくら"]
