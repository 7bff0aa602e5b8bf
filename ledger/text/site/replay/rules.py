"""Rules as pages lead to them: by their id, with their own words where the rulebook has them."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache
from typing import Final

from markupsafe import Markup

from ledger.errors import LedgerError, NotFoundError
from ledger.games import registered_games
from ledger.games.kernel.protocol import Game
from ledger.games.kernel.rulebook import load
from ledger.text.site.cards import Look, suited
from ledger.text.site.replay.facts import Rule

_ID: Final = re.compile(r"\b([A-Z]{3})-\d+\.\d+\b")


def rule_of(game: Game, id: str) -> Rule:
    """The rule of a game; what is no rule of its book leads nowhere."""
    try:
        found = load(game.package).rule(id)
    except NotFoundError:
        return Rule(id, "")
    return Rule(id, f"/rules/{game.name}#{id}", found.text)


def ruled(text: str, look: Look) -> Markup:
    """Return a sentence as of `suited`, each rule in it a link to the rulebook."""

    def linked(match: re.Match[str]) -> str:
        game = _games().get(match[1])
        address = "" if game is None else rule_of(game, match[0]).address
        return f'<a href="{address}">{match[0]}</a>' if address else match[0]

    return Markup(_ID.sub(linked, suited(text, look)))


@cache
def _games() -> dict[str, Game]:
    """Return the first game of each rulebook, by what its rules begin with."""
    games: dict[str, Game] = {}
    for game in registered_games().values():
        with suppress(LedgerError, OSError):  # of others; it may have no rulebook
            for rule in load(game.package).rules[:1]:
                games.setdefault(rule.id.partition("-")[0], game)
    return games
