"""The command `players`: names to display, spellings of one person, hidden players."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import click

from ledger import api
from ledger.cli.completion import DONE_WITH_PLAYERS, words_of_players
from ledger.cli.errors import wrong_use
from ledger.cli.state import CliState, command
from ledger.table.people import recorded_name
from ledger.text.lists import links_text, players_text

_CHANGES: Final[Mapping[str, tuple[int, Callable[..., None]]]] = {
    "link": (2, api.link_players),
    "unlink": (1, api.unlink_player),
    "hide": (1, api.hide_player),
    "show": (1, api.show_player),
}
"""For each action the number of players it takes and the function that performs it."""

_LINKS: Final = "links"


@command()
@click.argument("player", nargs=-1, shell_complete=words_of_players, metavar="[PLAYER]...")
@click.option("--name", help="Show this name for PLAYER.")
@click.option("--forget", is_flag=True, help="Erase the name shown for PLAYER.")
def players(state: CliState, player: tuple[str, ...], name: str | None, forget: bool) -> None:
    """List the players, or manage PLAYER: the name to show, spellings of one person, and who is hidden.

    The record never changes, so record players under handles if that matters (`init --handles`). Text shows the name
    set here; JSON, SQL and exports keep the handle. A name can be erased from the file.

    \b
    link PLAYER PERSON  count two spellings as one person everywhere
    unlink PLAYER       undo that; every number is as before
    links               list the linked spellings
    hide PLAYER         show initials in rankings, plots and reports, but not at tables
    show PLAYER         undo that

    \b
    trickledger players p17 --name "Anna Nowak"
    trickledger players link "A. Nowak" "Anna Nowak"
    trickledger players hide p17
    """
    words = player
    with state.store() as store:
        if store.has_handles:
            words = tuple(word if word in DONE_WITH_PLAYERS else recorded_name(store, word) for word in player)
    if name is not None or forget:
        _set_name(state, words, name, forget=forget)
    elif words[:1] == (_LINKS,):
        _check_count(words, 0)
        with state.store() as store:
            links = api.player_links(store)
        state.print(links, links_text(links, state.lang))
    elif words and words[0] in _CHANGES:
        count, change = _CHANGES[words[0]]
        _check_count(words, count)
        change(state.ledger, *words[1:])
        _print_players(state, words[-1])
    else:
        if len(words) > 1:
            raise wrong_use("too_many", text=" ".join(words[1:]))
        if words:
            raise wrong_use("which_player")
        _print_players(state, None)


def _set_name(state: CliState, words: Sequence[str], name: str | None, *, forget: bool) -> None:
    if len(words) != 1 or (name is not None and forget):
        raise wrong_use("which_player")
    if name is not None:
        api.name_player(state.ledger, words[0], name)
    else:
        api.forget_name(state.ledger, words[0])
    _print_players(state, words[0])


def _check_count(words: Sequence[str], count: int) -> None:
    """Raise `UsageError` if an action does not have this many players after it."""
    given = words[1:]
    if len(given) < count:
        raise wrong_use("missing", where="PLAYER" if not given else "PERSON")
    if len(given) > count:
        raise wrong_use("too_many", text=" ".join(given[count:]))


def _print_players(state: CliState, wanted: str | None) -> None:
    """Print all players, or the one of this name, in any of its spellings."""
    with state.store() as store:
        rows = [row for row in api.players(store) if wanted is None or wanted in (row.player, *row.spellings)]
    state.print(rows, players_text(rows, wanted, state.lang))
