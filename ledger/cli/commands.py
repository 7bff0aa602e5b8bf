"""Which commands there are. One is loaded when it is called: all of them take three times as long as `--help` may."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from keyword import iskeyword
from typing import Final

import click

SUMMARIES: Final = {
    "init": "Make a new, empty ledger.",
    "new": "Write a form for TABLE to type into: keys, a line for each trick, and the words of its game as comments.",
    "check": "Say what an import of the hand record FILE would record, and what is against the rules, by line and"
    " word.",
    "fmt": "Lay out the hand record FILE: keys in their order, a line for each trick, cards spelled one way.",
    "compare": "Compare two records of one table, each a hand record (its file) or a table of the ledger (its name).",
    "import": "Record the events of FILES: hand records (TOML), bare events or an export (NDJSON); - reads standard"
    " input.",
    "record": "Record TABLE while the game goes on: a key or two for each card, every act on disk before the next one.",
    "export": "Write the ledger as NDJSON, one entry a line, oldest first; `import` reads it again with the same"
    " digests.",
    "correct": "Add to TABLE how one of its entries is to be read: replace, strike, insert_after, or restore what was"
    " written.",
    "close": "Close TABLE: nothing more is played at it, and what its end pays out is paid.",
    "open-hands": "Show everybody the hands of deals that are over at TABLE, or at all tables, and hidden still.",
    "session": "Open, amend, close or reopen SESSION, an evening with its tables.",
    "seat": "Seat PLAYER at TABLE for the player in that seat, between two deals.",
    "note": "Note TEXT at TABLE, about an entry or a player if you like; session/SESSION notes it about a session.",
    "dispute": "Raise a dispute at TABLE about a deal, or about one entry of it; without TEXT list those that there"
    " are.",
    "ruling": "Rule on a deal of TABLE; TEXT says what is decided and why.",
    "tables": "List the tables with their players, deals and totals.",
    "replay": "Replay a deal of TABLE card by card: hands, tricks, who won and why, what was legal.",
    "score": "The score sheet of TABLE: every payment with the rule that orders it.",
    "audit": "What in TABLE was against the rules, each finding with the rule's text.",
    "verify": "Read every byte of the ledger again and check the chain; names the first damaged position.",
    "checkpoint": "Sign the ledger as it stands: how many entries it has, and the root of a hash tree over all of"
    " them.",
    "receipt": "Write a receipt of a deal of TABLE: a small file that proves what the ledger holds of it.",
    "backup": "Copy the ledger to TARGET, even while it is written to, and read the copy back.",
    "restore": "Make a ledger of BACKUP, and read it back; BACKUP stays as it is.",
    "players": "List the players of the record, or say who PLAYER is: which name is shown, who is one person,"
    " who is hidden.",
    "query": 'Ask the history in SQL, for example "SELECT result, count(*) FROM deals GROUP BY ALL", or by a saved'
    " name.",
    "stats": "The statistic NAME over all deals, or over those that the filters leave; without NAME, which there are.",
    "plot": "Draw the plot NAME over all deals, or over those that the filters leave.",
    "report": "Write SESSION as one page for the printer: results, score sheets, notable deals, rulings, plots, and the"
    " proof.",
    "rules": 'Print a rule (OMB-6.8), a whole rulebook (ombre), or search them all (--search "surrender").',
    "simulate": "Make random tables of GAME by legal play, as lines for `import`, or years of a club with --evenings.",
    "token": "Give out a token or a table's code for the service, list them all, or revoke ID.",
    "serve": "Serve the ledger over HTTP: phones record, others follow, programs read and write; Ctrl-C ends it.",
    "demo": "Make a ledger from recorded games and show what can be done with it.",
}
"""Every command with the first sentence of its help, which the list of all commands shows; tests compare them."""

_MODULES: Final = {
    **dict.fromkeys(("new", "check", "fmt", "compare"), "hand_records"),
    **dict.fromkeys(("init", "backup", "restore"), "ledgers"),
    **dict.fromkeys(("session", "seat", "close", "open-hands", "note"), "table"),
    **dict.fromkeys(("correct", "dispute", "ruling"), "directing"),
    **dict.fromkeys(("tables", "replay", "score", "audit"), "reading"),
    **dict.fromkeys(("verify", "checkpoint", "receipt"), "proofs"),
    **dict.fromkeys(("plot", "report"), "drawing"),
}
"""The module of each command that shares one; any other command has a module of its own name."""


class Commands(Mapping[str, click.Command]):
    """The commands by name; each is loaded, once, from its module."""

    def __iter__(self) -> Iterator[str]:
        return iter(SUMMARIES)

    def __len__(self) -> int:
        return len(SUMMARIES)

    def __contains__(self, name: object) -> bool:
        return name in SUMMARIES

    def __getitem__(self, name: str) -> click.Command:
        if name not in SUMMARIES:
            raise KeyError(name)
        command: click.Command = getattr(import_module(module_of(name)), _identifier(name))
        return command


def module_of(name: str) -> str:
    """Return the name of the module that holds a command."""
    return f"ledger.cli.{_MODULES.get(name) or _identifier(name)}"


def _identifier(name: str) -> str:
    return f"{name}_" if iskeyword(name) else name.replace("-", "_")
