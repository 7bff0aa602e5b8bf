"""Rules as pages lead to them: by their id, with their own words where the rulebook has them."""

from __future__ import annotations

from ledger.errors import NotFoundError
from ledger.games.kernel.protocol import Game
from ledger.games.kernel.rulebook import load
from ledger.text.site.replay.facts import Rule


def rule_of(game: Game, id: str) -> Rule:
    """The rule of a game; what is no rule of its book leads nowhere."""
    try:
        found = load(game.package).rule(id)
    except NotFoundError:
        return Rule(id, "")
    return Rule(id, f"/rules/{game.name}#{id}", found.text)
