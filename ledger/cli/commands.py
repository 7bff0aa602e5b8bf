"""The commands by task; each is loaded when it is called, since loading all would triple the time of `--help`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from keyword import iskeyword
from typing import Final

import click

GROUPS: Final[Mapping[str, Mapping[str, str]]] = {
    "Start": {
        "init": "Create an empty ledger.",
        "demo": "Create a ledger from recorded games and show what you can do with it.",
        "doctor": "Check the program, this machine and the ledger before an evening, and name the next step for each"
        " problem.",
        "examples": "Copy the example hand records to FOLDER: every worked example of the rulebooks, and evenings of a"
        " club.",
        "help": "Show the help of COMMAND, or of the whole program.",
    },
    "Record": {
        "record": "Record TABLE while the game goes on: a key or two for each card, each act saved before the next"
        " one.",
        "session": "Open, amend, close or reopen SESSION, an evening with its tables.",
        "seat": "Seat PLAYER at TABLE in place of another player, between two deals.",
        "note": "Add a note to TABLE, to one of its entries or players, or to a session (session/SESSION).",
        "close": "Close TABLE: no more deals are played, and the final payments are made.",
    },
    "Type in paper records": {
        "new": "Write a form for TABLE to type into, with a line for each trick and the words of its game as comments.",
        "check": "Check the hand record FILE: show what an import would record and which rules were broken.",
        "fmt": "Format the hand record FILE: keys in order, one line per trick, every card spelled the same way.",
        "compare": "Compare two records of one table, each a hand record (its file) or a table of the ledger (its"
        " name).",
        "import": "Record the events of FILES: hand records (TOML), bare events or an export (NDJSON); - reads standard"
        " input.",
    },
    "Read and check": {
        "tables": "List the tables with their players, deals and totals.",
        "replay": "Replay a deal of TABLE card by card: hands, tricks, who won and why, and what was legal.",
        "score": "Show the score sheet of TABLE: every payment with its rule.",
        "audit": "Audit TABLE: list what broke the rules, each finding with the text of its rule.",
        "rules": 'Print a rule (OMB-6.8) or a whole rulebook (ombre), or search them all (--search "surrender").',
        "players": "List the players, or manage PLAYER: the name to show, spellings of one person, and who is hidden.",
    },
    "Correct and decide": {
        "correct": "Correct an entry of TABLE: replace it, strike it, insert after it, or restore what was written.",
        "dispute": "Raise a dispute about a deal or an entry of TABLE; without TEXT, list the disputes of TABLE.",
        "ruling": "Rule on a deal of TABLE; TEXT says what is decided and why.",
        "open-hands": "Show everybody the hands of finished deals that are still hidden, at TABLE or at all tables.",
    },
    "Statistics": {
        "stats": "Show the statistic NAME over all deals, or over a selection of them; without NAME, list the"
        " statistics.",
        "plot": "Draw the plot NAME over all deals, or over a selection of them.",
        "report": "Write SESSION as one page to print: results, score sheets, notable deals, rulings, plots and the"
        " proof.",
        "rebuild": "Fold the whole ledger anew and write its tables as Parquet files, the newest snapshot of a lake.",
        "query": 'Query the history in SQL, for example "SELECT result, count(*) FROM deals GROUP BY ALL", or by a'
        " saved name.",
    },
    "Keep safe and prove": {
        "backup": "Copy the ledger to TARGET, even while others write to it, and check the copy.",
        "restore": "Create a ledger from BACKUP and check it; BACKUP itself is not changed.",
        "copy": "Copy the ledger FROM to TO, entry by entry, or continue an earlier copy; --follow keeps it up to"
        " date.",
        "export": "Write the ledger as NDJSON, one entry per line, oldest first; `import` restores it with the same"
        " digests.",
        "verify": "Verify the ledger: read every byte, check the hash chain, and name the first damaged position.",
        "checkpoint": "Sign a checkpoint of the ledger: the number of its entries and the root of a hash tree over"
        " them.",
        "receipt": "Write a receipt for a deal of TABLE: a small file that proves what the ledger holds of it.",
        "witness": "Watch over clubs as a witness: cosign their checkpoints without having their ledgers.",
    },
    "Serve phones and programs": {
        "serve": "Serve the ledger over HTTP: phones record, others follow, programs read and write; Ctrl-C stops it.",
        "token": "Create a token or a table's code for the service, list all of them, or revoke ID.",
        "simulate": "Simulate random tables of GAME by legal play, as lines for `import`, or years of a club with"
        " --evenings.",
    },
}
"""The commands by task, each with the first sentence of its help; tests compare them."""

SUMMARIES: Final = {name: summary for group in GROUPS.values() for name, summary in group.items()}

_MODULES: Final = {
    **dict.fromkeys(("new", "check", "fmt", "compare"), "hand_records"),
    **dict.fromkeys(("init", "backup", "restore"), "ledgers"),
    **dict.fromkeys(("session", "seat", "close", "open-hands", "note"), "table"),
    **dict.fromkeys(("correct", "dispute", "ruling"), "directing"),
    **dict.fromkeys(("tables", "replay", "score", "audit"), "reading"),
    **dict.fromkeys(("verify", "checkpoint", "receipt"), "proofs"),
    **dict.fromkeys(("plot", "report"), "drawing"),
}
"""The modules that hold several commands; every other command has a module of its own name."""


class Commands(Mapping[str, click.Command]):
    """The commands by name, each imported at its first use."""

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
