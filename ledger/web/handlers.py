"""All modules that declare routes, to be imported before serving.

Installed packages name modules with routes and pages of their own as entry points in the group `ledger.routes`.
"""

from functools import cache
from importlib.metadata import entry_points

from ledger.web.api import (  # noqa: F401 - loading them is all that is wanted
    access,
    cases,
    corrections,
    deals,
    entries,
    exports,
    history,
    imports,
    live,
    people,
    root,
    rules,
    streams,
    tables,
)
from ledger.web.pages import (  # noqa: F401 - the same
    case,
    change_act,
    choose_table,
    close_table,
    correct_entry,
    desk,
    evening,
    home,
    login,
    names,
    new_table,
    players,
    plots,
    problem,
    proof,
    raise_dispute,
    record,
    record_deal,
    record_result,
    replay,
    room,
    rulebook,
    score_sheet,
    sessions,
    settings,
    sql,
    standings,
    start_deal,
    static,
    statistics,
    table,
    table_cards,
    table_list,
    tokens,
    withdraw_dispute,
)


@cache
def load_packages() -> None:
    """Load the modules with routes of installed packages."""
    for point in sorted(entry_points(group="ledger.routes"), key=lambda point: (point.name, point.value)):
        point.load()
