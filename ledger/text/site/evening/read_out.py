"""Write the result of an evening in a few sentences, which a director reads out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from ledger.reports.rankings import Rank, Ranking
from ledger.reports.session_report import Notable
from ledger.text.catalogue import label
from ledger.text.site.catalogue import capitalised, game_title, say, short_table_title
from ledger.text.site.evening.facts import EveningFacts

_PLACES_NAMED: Final = 3


def result_sentences(
    facts: EveningFacts, chosen: Ranking, notable: Sequence[Notable], questions: int, lang: str
) -> Iterator[str]:
    """Yield three to five sentences. `questions`: the number of open questions."""
    players = {rank.player for one in facts.rankings for rank in one.rows}
    yield say(
        lang,
        "evening.read_closed" if facts.state.closed else "evening.read_open",
        title=facts.title,
        players=say(lang, "evening.players", count=len(players)),
        deals=say(lang, "evening.deals", count=facts.finished),
        tables=say(lang, "evening.tables", count=len(facts.tables)),
    )
    yield _first_place(chosen, lang, is_over=facts.state.closed)
    if groups := list(_next_places(chosen, lang)):
        yield capitalised(say(lang, "evening.next_come", groups=names_text(groups, lang)))
    by_game = [one for one in facts.rankings if one.game is not None]
    if chosen.game is None and len(by_game) > 1:
        games = names_text([_most_points(one, lang) for one in by_game], lang)
        yield capitalised(say(lang, "evening.most_points", games=games))
    elif swing := _greatest_swing(facts, notable, lang):
        yield swing
    if questions:
        yield say(lang, "evening.read_questions", count=questions)


def _first_place(ranking: Ranking, lang: str, *, is_over: bool) -> str:
    first = [rank for rank in ranking.rows if rank.place == 1]
    if len(first) == 1:
        key = "evening.winner" if is_over else "evening.leader"
    else:
        key = "evening.winners" if is_over else "evening.leaders"
    return say(lang, key, players=_players(first, lang), points=spoken_points(first[0], ranking.game, lang))


def _next_places(ranking: Ranking, lang: str) -> Iterator[str]:
    """Yield the players of the second and third place, with their points."""
    for place, of_place in groupby(ranking.rows, lambda rank: rank.place):
        level = list(of_place)
        if 1 < place <= _PLACES_NAMED:
            key = "evening.follower" if len(level) == 1 else "evening.followers"
            yield say(lang, key, players=_players(level, lang), points=spoken_points(level[0], ranking.game, lang))


def _most_points(ranking: Ranking, lang: str) -> str:
    """Return who has made most points of a game."""
    assert ranking.game is not None
    first = [rank for rank in ranking.rows if rank.place == 1]
    points = spoken_points(first[0], ranking.game, lang)
    game = game_title(ranking.game, lang)
    return say(lang, "evening.most_points_of", game=game, players=_players(first, lang), points=points)


def _greatest_swing(facts: EveningFacts, notable: Sequence[Notable], lang: str) -> str:
    """Return a sentence on the deal with the greatest difference between two players; empty if there is none."""
    swings = [
        (reason.values, one.table, one.moments[place][0])
        for table, place, reasons in notable
        for one in [facts.tables[table]]
        for reason in reasons
        if reason.key == "reason_swing"
    ]
    if not swings:
        return ""
    values, table, deal = max(swings, key=lambda swing: swing[0]["points"])
    reason = label(lang, "session.reason_swing", **values)
    title = short_table_title(table, facts.session, lang)
    return say(lang, "evening.read_swing", deal=deal, table=title, reason=reason)


def _players(level: Sequence[Rank], lang: str) -> str:
    return names_text([rank.player for rank in level], lang)


def spoken_points(rank: Rank, game: str | None, lang: str) -> str:
    """Return points as one says them: `47 points`, `2.5 table points`."""
    number = f"{rank.points:g}".replace("-", "\N{MINUS SIGN}")
    size = int(abs(rank.points)) if rank.points == int(rank.points) else 2
    key = "evening.table_points_spoken" if game is None else "evening.points_spoken"
    return say(lang, key, count=size, points=number)


def names_text(names: Sequence[str], lang: str) -> str:
    """Return names in a row, as in a sentence: `Ann, Ben and Cleo`."""
    *before, last = names
    return f"{label(lang, 'list').join(before)}{say(lang, 'evening.and')}{last}" if before else last
