"""A table with a Spanish pack: whatever people read of it names Spanish cards, what programs read keeps its codes."""

from __future__ import annotations

import json

import pytest

from tests.cli.commands import REVOKE, CommandLine

TABLE = "simulated-1"
OPTIONS = ("--option", "pack_names=spanish", "--option", "all_pass=spadille_forced")
OPTION = '[options]\npack_names = "spanish"\n'
READ = (
    ("replay", TABLE, "--deal", 2),
    ("replay", TABLE, "--deal", 2, "--step", 12),
    ("replay", TABLE, "--deal", 2, "--all-steps"),
    ("replay", TABLE, "--deal", 2, "--diff"),
    ("dispute", TABLE, "--case-sheet"),
)


@pytest.mark.parametrize(("lang", "suit", "rank"), [("en", "Espadas", "Rey"), ("ja", "ソード", "レイ")])
def test_texts_and_printed_pages_name_spanish_cards(cli: CommandLine, lang: str, suit: str, rank: str) -> None:
    lines = cli.ok("simulate", "--session", "evening", *OPTIONS)
    opened = {
        "stream": "session/evening",
        "event": {"type": "session_opened", "title": "Evening", "date": "2026-01-05"},
    }
    cli.ok("import", "-", stdin=f"{json.dumps(opened)}\n{lines}".encode())
    disputed = cli.json("dispute", TABLE, "the king had to fall", "--deal", 2, "--step", 12)["version"]
    read = {words: cli.ok(*words, *([disputed] if words[0] == "dispute" else []), lang=lang) for words in READ}
    page = cli.folder / "evening.html"
    cli.ok("report", "evening", "-o", page, lang=lang)
    for words, told in (*read.items(), ("report", page.read_text("utf-8"))):
        assert not set("♠♥♦♣") & set(told), words
        assert suit in told and rank in told, words
    record = cli.folder / "revoke.toml"
    record.write_text(f"{OPTION}\n[[deal]]".join(REVOKE.read_text("utf-8").split("[[deal]]", 1)), "utf-8")
    told = cli.run("check", record, lang=lang).output
    assert "OMB-11.37" in told and not set("♠♥♦♣") & set(told)


def test_programs_read_the_codes_of_the_contract(cli: CommandLine) -> None:
    cli.ok("import", "-", stdin=cli.ok("simulate", "--deals", 1, *OPTIONS).encode())
    shown = json.dumps(cli.json("replay", TABLE, "--deal", 1, "--step", 2))
    assert '"SK"' in shown and "Espadas" not in shown
