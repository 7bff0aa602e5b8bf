"""Make rankings for pages: places, points in words, and one line a player on a scale that all share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from ledger.reports.rankings import TABLE_POINTS, Ranking
from ledger.text.cards import signed_amount
from ledger.text.catalogue import label
from ledger.text.site.catalogue import game_title, say

_WIDTH: Final = 140
_HEIGHT: Final = 30
_MARGIN: Final = 4
"""The drawing of a line, in its own units; the margin is for the dot at its end."""

_STEPS_MAX: Final = 60
"""The most points of a line: more cannot be seen at its width."""

_STEPS_IN_WORDS: Final = 8


class CourseLine(Struct, frozen=True, kw_only=True):
    """The points of a player from deal to deal, as a line. `zero`: the height of 0. `said`: the same in words."""

    points: str
    zero: float
    end_x: float
    end_y: float
    said: str


class RankRow(Struct, frozen=True, kw_only=True):
    """A player in a ranking. `is_shared`: somebody else has the same place. `person`: as of `Rank`."""

    place: int
    is_shared: bool
    player: str
    person: str | None
    points: str
    deals: int
    tables: int
    line: CourseLine | None


class RankingChoice(Struct, frozen=True, kw_only=True):
    """A rule by which players can be ranked, and whether it is the chosen one."""

    rule: str
    title: str
    is_here: bool


class RankingView(Struct, frozen=True, kw_only=True):
    """A ranking. `rule`: its name in addresses; `explained`: the rule in a sentence; `scale`: what the lines show.
    `statistic`: the name of the statistic with the ranking of an evening.
    """

    rule: str
    title: str
    explained: str
    scale: str
    rows: Sequence[RankRow]
    choices: Sequence[RankingChoice]

    @property
    def statistic(self) -> str:
        return "table-points" if self.rule == TABLE_POINTS else "session-standings"


def ranking_view(rankings: Sequence[Ranking], chosen: Ranking, lang: str, *, shown: slice = slice(None)) -> RankingView:
    """Return the chosen ranking, with links to the others. `shown`: its rows on this page."""
    values = [0, *(value for rank in chosen.rows for value in rank.course)]
    low, high = min(values), max(values)
    steps = max((len(rank.course) for rank in chosen.rows), default=0)
    sharing = Counter(rank.place for rank in chosen.rows)
    key = "evening.rule_places" if chosen.game is None else "evening.rule_points"
    return RankingView(
        rule=chosen.rule,
        title=ranking_title(chosen, lang),
        explained=say(lang, key, game="" if chosen.game is None else game_title(chosen.game, lang)),
        scale=say(lang, "evening.scale", low=signed_amount(low), high=signed_amount(high)) if steps else "",
        rows=[
            RankRow(
                place=rank.place,
                is_shared=sharing[rank.place] > 1,
                player=rank.player,
                person=rank.person,
                points=points_text(rank.points, chosen.game),
                deals=rank.deals,
                tables=rank.tables,
                line=_line(tuple(rank.course), low, high, steps, lang) if rank.course else None,
            )
            for rank in chosen.rows[shown]
        ],
        choices=[
            RankingChoice(rule=one.rule, title=ranking_title(one, lang), is_here=one is chosen) for one in rankings
        ],
    )


def ranking_title(ranking: Ranking, lang: str) -> str:
    """Return the title of a ranking: table points, or the points of its game."""
    if ranking.game is None:
        return say(lang, "evening.table_points")
    return say(lang, "evening.points_of", game=game_title(ranking.game, lang))


def points_text(points: float, game: str | None) -> str:
    """Return points of a game with their sign; table points have none, but may have halves."""
    return f"{points:g}" if game is None else signed_amount(int(points))


@lru_cache(maxsize=2_000)
def _line(course: tuple[int, ...], low: int, high: int, steps: int, lang: str) -> CourseLine:
    """Return the line of a player, at most `_STEPS_MAX` points long. `steps`: the deals of the longest line."""
    span = max(1, high - low)

    def height(value: int) -> float:
        return round(_MARGIN + (high - value) / span * (_HEIGHT - 2 * _MARGIN), 1)

    every = -(-len(course) // _STEPS_MAX)
    numbers = [0, *range(len(course), 0, -every)][::-1] if every > 1 else [*range(len(course) + 1)][::-1]
    values = [0, *course]
    width = (_WIDTH - 2 * _MARGIN) / max(1, steps)
    places = [(round(_MARGIN + number * width, 1), height(values[number])) for number in sorted(set(numbers))]
    return CourseLine(
        points=" ".join(f"{x:g},{y:g}" for x, y in places),
        zero=height(0),
        end_x=places[-1][0],
        end_y=places[-1][1],
        said=_in_words(course, lang),
    )


def _in_words(course: Sequence[int], lang: str) -> str:
    """Return the course in words, with a few of its points."""
    before = course[:-1]
    every = -(-len(before) // _STEPS_IN_WORDS) or 1
    steps = label(lang, "list").join(signed_amount(value) for value in before[every - 1 :: every])
    last = signed_amount(course[-1])
    return say(lang, "evening.course", steps=steps, last=last) if steps else say(lang, "evening.course_one", last=last)
