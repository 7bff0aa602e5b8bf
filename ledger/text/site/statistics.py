"""The statistics and plots by subject, and the fields of their filters with the values that occur."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

from msgspec import Struct, structs

from ledger.history import Statistic, statistics
from ledger.history.questions.display_names import DisplayNames
from ledger.history.questions.facets import Facets
from ledger.history.questions.filters import WEEKDAYS
from ledger.history.questions.selections import GROUPS, intervals
from ledger.plots.figures import plots
from ledger.text.site.answer_table import RECORDED_WORDS, game_words, wording_of
from ledger.text.site.catalogue import capitalised, say

_SUBJECTS: Final[Mapping[str, Mapping[str, str]]] = {
    "stats.subject_standings": {
        "standings": "stats.title_standings",
        "table-points": "stats.title_table_points",
        "season-standings": "stats.title_season_standings",
        "session-standings": "stats.title_session_standings",
        "standings-by-day": "stats.title_standings_by_day",
        "ratings": "stats.title_ratings",
        "rating-history": "stats.title_rating_history",
    },
    "stats.subject_tables": {
        "placings": "stats.title_placings",
        "cumulative": "stats.title_cumulative",
        "course": "stats.title_course",
        "swings": "stats.title_swings",
        "streaks": "stats.title_streaks",
        "pool": "stats.title_pool",
    },
    "stats.subject_players": {
        "head-to-head": "stats.title_head_to_head",
        "partners": "stats.title_partners",
        "roles": "stats.title_roles",
        "player-contracts": "stats.title_player_contracts",
        "raisers": "stats.title_raisers",
        "couillon-makers": "stats.title_couillon_makers",
        "forced-spadille": "stats.title_forced_spadille",
    },
    "stats.subject_contracts": {
        "contracts": "stats.title_contracts",
        "declarer-seats": "stats.title_declarer_seats",
        "trumps": "stats.title_trumps",
        "doublings": "stats.title_doublings",
        "bez": "stats.title_bez",
        "premiers-voles": "stats.title_premiers_voles",
    },
    "stats.subject_cards": {
        "opening-leads": "stats.title_opening_leads",
        "ombre-exchanges": "stats.title_ombre_exchanges",
        "called-kings": "stats.title_called_kings",
        "deal-lengths": "stats.title_deal_lengths",
    },
    "stats.subject_faults": {
        "findings": "stats.title_findings",
        "player-findings": "stats.title_player_findings",
    },
}
"""The statistics of pages by the heading of their subject, each with its title."""

_WITHOUT_PAGE: Final = frozenset({"league"})
"""Statistics that need more than filters."""

PLOTS_OF: Final[Mapping[str, Sequence[str]]] = {
    "contracts": ("contracts", "contract-points"),
    "head-to-head": ("head-to-head",),
    "pool": ("pool",),
    "rating-history": ("ratings",),
    "ratings": ("ratings",),
    "standings": ("cumulative", "deal-points"),
    "standings-by-day": ("standings",),
    "cumulative": ("cumulative",),
    "placings": ("calendar",),
    "swings": ("deal-points",),
}
"""The plots that are shown beside a statistic."""

_PLOTS: Final[Mapping[str, str]] = {
    "cumulative": "stats.plot_cumulative",
    "standings": "stats.plot_standings",
    "ratings": "stats.plot_ratings",
    "head-to-head": "stats.plot_head_to_head",
    "contracts": "stats.plot_contracts",
    "contract-points": "stats.plot_contract_points",
    "deal-points": "stats.plot_deal_points",
    "pool": "stats.plot_pool",
    "calendar": "stats.plot_calendar",
}
"""The plots that have a page, with their titles; the year of a player is on the player's page."""

_FIELDS: Final[Mapping[str, tuple[str, str]]] = {
    "game": ("stats.game", "stats.all_games"),
    "player": ("stats.player", "stats.everybody"),
    "season": ("stats.season", "stats.all_seasons"),
    "place": ("stats.place", "stats.all_places"),
    "weekday": ("stats.weekday", "stats.all_weekdays"),
    "session": ("stats.session", "stats.all_sessions"),
    "seat": ("stats.seat", "stats.all_seats"),
}
"""The filters with values to choose from: their labels, and the label of no choice."""

_LABELS: Final[Mapping[str, str]] = {
    **{name: label for name, (label, _) in _FIELDS.items()},
    "since": "stats.since",
    "until": "stats.until",
    "season_from": "stats.season_from",
    "min_deals": "stats.min_deals",
    "by": "stats.by",
    "option": "stats.option",
    "group_by": "stats.group_by",
    "compare": "stats.compare",
}

_CHOICES_MAX: Final = 60
"""The most values of a list to choose from; a field with more is typed, with suggestions."""

_OPTIONS_MAX: Final = 60
_COMPARED: Final = ("season", "game", "place", "weekday", "player", "seat")
_COMPARED_MAX: Final = 12


class Listed(Struct, frozen=True, kw_only=True):
    """A statistic or a plot in the list."""

    name: str
    title: str
    sentence: str


class Subject(Struct, frozen=True, kw_only=True):
    """A subject with its statistics."""

    title: str
    statistics: Sequence[Listed]


class Choice(Struct, frozen=True, kw_only=True):
    """A value of a field. `count`: its complete deals, None if they are not counted."""

    value: str
    text: str
    count: int | None = None
    is_chosen: bool = False


class Field(Struct, frozen=True, kw_only=True):
    """A filter with values to choose from, or to type if there are many. `value`: the one that is chosen or typed."""

    name: str
    label: str
    none: str
    choices: Sequence[Choice]
    is_typed: bool
    value: str


def subjects(lang: str) -> list[Subject]:
    """Return the statistics by subject; those without one come last."""
    known = {name: one for name, one in _statistics(lang).items() if has_page(name)}
    by_subject = [
        Subject(title=say(lang, subject), statistics=[_listed(known.pop(name), lang) for name in titles])
        for subject, titles in _SUBJECTS.items()
    ]
    others = [_listed(one, lang) for one in known.values()]
    return [*by_subject, *([Subject(title=say(lang, "stats.subject_others"), statistics=others)] if others else [])]


def _listed(statistic: Statistic, lang: str) -> Listed:
    return Listed(name=statistic.name, title=statistic_title(statistic.name, lang), sentence=statistic.sentence)


@cache
def _statistics(lang: str) -> Mapping[str, Statistic]:
    """Return all statistics, described without options of the command line."""
    return {name: _on_page(one, lang) for name, one in statistics(lang).items()}


def _on_page(question: Statistic, lang: str) -> Statistic:
    return structs.replace(
        question,
        sentence=on_page(question.sentence, lang),
        row=on_page(question.row, lang),
        columns={column: on_page(meaning, lang) for column, meaning in question.columns.items()},
    )


def described(statistic: Statistic, lang: str) -> Statistic:
    """Return a statistic as pages describe it."""
    return _statistics(lang)[statistic.name]


def has_page(name: str) -> bool:
    """Return whether a statistic has a page."""
    return name not in _WITHOUT_PAGE


def statistic_title(name: str, lang: str) -> str:
    """Return the title of a statistic."""
    key = next((titles[name] for titles in _SUBJECTS.values() if name in titles), None)
    return capitalised(name.replace("-", " ")) if key is None else say(lang, key)


def listed_plots(lang: str) -> list[Listed]:
    """Return the plots that have a page."""
    known = plots(lang)
    return [
        Listed(name=name, title=plot_title(name, lang), sentence=on_page(known[name].sentence, lang)) for name in _PLOTS
    ]


def plot_title(name: str, lang: str) -> str:
    """Return the title of a plot that has a page."""
    return say(lang, _PLOTS[name])


def plot_with_page(name: str, lang: str) -> Statistic | None:
    """Return the query of a plot as pages describe it; None for a plot without a page."""
    return _on_page(plots(lang)[name], lang) if name in _PLOTS else None


def filter_label(name: str, lang: str) -> str:
    """Return the label of a filter."""
    return say(lang, _LABELS[name]) if name in _LABELS else name


_OPTION_OF_COMMAND: Final = re.compile(r"--([a-z]+(?:-[a-z]+)*)(?: [A-Z]+| table)?")
_DOCUMENT: Final = re.compile(r" ?\(docs/[a-z/.-]+\)")


def on_page(text: str, lang: str) -> str:
    """Return a description without the names of options and documents, which only the command line has."""

    def named(option: re.Match[str]) -> str:
        return say(lang, "stats.filter_named", name=filter_label(option[1].replace("-", "_"), lang))

    return _OPTION_OF_COMMAND.sub(named, _DOCUMENT.sub("", text))


def facet_fields(
    parameters: Sequence[str], facets: Facets, typed: Mapping[str, str], shown: DisplayNames, lang: str
) -> list[Field]:
    """Return the fields of the filters that a statistic takes and that have values to choose from.

    `typed`: the values in the address, of a player as shown to the reader.
    """
    return [_field(name, facets, typed.get(name, ""), shown, lang) for name in _FIELDS if name in parameters]


def _field(name: str, facets: Facets, typed: str, shown: DisplayNames, lang: str) -> Field:
    counts = facets.counts[name]
    choices = [
        Choice(value=value, text=text, count=count, is_chosen=value == typed)
        for value, text, count in _valued(name, counts, shown, lang)
    ]
    if typed and not any(one.is_chosen for one in choices):
        choices.append(Choice(value=typed, text=_value_text(name, typed, shown, lang), count=0, is_chosen=True))
    label, none = _FIELDS[name]
    return Field(
        name=name,
        label=say(lang, label),
        none=say(lang, none),
        choices=choices[:_CHOICES_MAX],
        is_typed=len(choices) > _CHOICES_MAX,
        value=typed,
    )


def _valued(name: str, counts: Mapping[str, int], shown: DisplayNames, lang: str) -> Iterator[tuple[str, str, int]]:
    """Yield the values of a filter as they are typed, their words and their counts, in a natural order."""
    for value in sorted(counts, key=lambda value: _rank(name, value, counts[value])):
        typed = shown.initials.get(value, value) if name == "player" else value
        yield typed, _value_text(name, value, shown, lang), counts[value]


def _rank(name: str, value: str, count: int) -> Any:
    match name:
        case "weekday":
            return WEEKDAYS.index(value)
        case "seat":
            return int(value)
        case "season" | "session":
            return [-ord(sign) for sign in value]  # the newest first
    return -count, value


def _value_text(name: str, value: str, shown: DisplayNames, lang: str) -> str:
    match name:
        case "game":
            return game_words(value, lang)
        case "weekday":
            return say(lang, RECORDED_WORDS[value]) if value in WEEKDAYS else value
        case "player":
            return shown.names.get(value, value)
        case "seat":
            return say(lang, "stats.seat_number", seat=value)
    return value


def option_choices(facets: Facets, game: str | None, chosen: Sequence[str], lang: str) -> list[Choice]:
    """Return the values of options that differ between the tables of a game, and those that are chosen."""
    wording = wording_of(game, lang)
    choices = [
        Choice(
            value=f"{name}={_typed_option(value)}",
            text=f"{wording.option(name)}: {wording.choice(name, json.loads(value))}",
            count=count,
        )
        for name, values in facets.options.items()
        for value, count in sorted(values.items(), key=lambda one: (-one[1], one[0]))
        if game is not None and isinstance(json.loads(value), str | int | float | bool | None)
    ]
    return [one for one in choices if one.value not in chosen][:_OPTIONS_MAX]


def _typed_option(value: str) -> str:
    """Return a value of an option (JSON) as it is typed: words without quotes."""
    decoded = json.loads(value)
    return decoded if isinstance(decoded, str) else value


def chosen_option(typed: str, game: str | None, lang: str) -> Choice:
    """Return an option that was chosen, e.g. `ante=10`, in words."""
    name, _, value = typed.partition("=")
    try:
        decoded = json.loads(value)
    except ValueError:
        decoded = value
    wording = wording_of(game, lang)
    chosen = wording.choice(name, decoded) if isinstance(decoded, str | bool | None) else value
    return Choice(value=typed, text=say(lang, "stats.chosen", name=wording.option(name), value=chosen), is_chosen=True)


def chosen_comparison(typed: str, shown: DisplayNames, lang: str) -> Choice:
    """Return a filter of the second selection that was chosen, e.g. `season=2025`, in words."""
    name, _, value = typed.partition("=")
    text = say(lang, "stats.chosen", name=filter_label(name, lang), value=_value_text(name, value, shown, lang))
    return Choice(value=typed, text=text, is_chosen=True)


def compare_choices(
    statistic: Statistic, facets: Facets, chosen: Sequence[str], shown: DisplayNames, lang: str
) -> list[tuple[str, list[Choice]]]:
    """Return the selections with which a statistic can be compared, by the label of their filter; none without
    intervals.
    """
    if not intervals(statistic.column_names):
        return []
    groups = []
    for name in _COMPARED:
        if name not in statistic.parameters:
            continue
        valued = list(_valued(name, facets.counts[name], shown, lang))[:_COMPARED_MAX]
        choices = [Choice(value=f"{name}={value}", text=text, count=count) for value, text, count in valued]
        left = [one for one in choices if one.value not in chosen]
        if left:
            groups.append((filter_label(name, lang), left))
    return groups


def group_choices(statistic: Statistic, chosen: str, lang: str) -> list[Choice]:
    """Return the filters whose values can group the rows of a statistic."""
    return [
        Choice(value=name, text=filter_label(name, lang), is_chosen=name == chosen)
        for name in GROUPS
        if name in statistic.parameters
    ]
