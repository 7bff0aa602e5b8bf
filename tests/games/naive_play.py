"""The number of lawful ways to play on a deal, by the rules of a game's naive module: half an oracle.

Nothing of `ledger` is used here. It is slow and simple on purpose.
"""

from collections.abc import Callable, Sequence

MayPlay = Callable[[list[str], list[str]], list[str]]
"""A function from the cards of a trick, none when leading, and a hand to the cards that may be played."""
Winner = Callable[[list[tuple[int, str]]], int]


def continuations(
    may_play: MayPlay,
    winner: Winner,
    hands: Sequence[list[str]],
    seat: int = 0,
    depth: int = 99,
    trick: Sequence[tuple[int, str]] = (),
) -> int:
    """Count the ways to play on these hands, at most `depth` cards deep, with this seat leading."""
    if len(trick) == len(hands):
        seat, trick = winner([*trick]), ()
    if not depth or not hands[seat]:
        return 1
    ways = 0
    for card in may_play([played for _, played in trick], hands[seat]):
        rest = [[other for other in hand if other != card] for hand in hands]
        ways += continuations(may_play, winner, rest, (seat + 1) % len(hands), depth - 1, (*trick, (seat, card)))
    return ways
