"""The parts that the lists on the page of an evening are made of."""

from __future__ import annotations

from msgspec import Struct

from ledger.table.fold import TableFold
from ledger.text.site.catalogue import say, short_table_title
from ledger.text.site.replay.table_page import step_address_of
from ledger.text.site.replay.viewpoint import Viewpoint
from ledger.text.site.rulebook import CitedRule


class Item(Struct, frozen=True, kw_only=True):
    """A line of a list: what happened, with a link to where. `stamp`: its kind; `rule`: the rule that was broken."""

    where: str
    address: str
    text: str
    stamp: str = ""
    rule: CitedRule | None = None


def place_of(session: str, table: str, deal: int | None, lang: str) -> str:
    """Return table and deal in words."""
    title = short_table_title(table, session, lang)
    return title if deal is None else say(lang, "evening.at_deal", table=title, deal=deal)


def address_of_moment(fold: TableFold, table: str, deal: int | None, *versions: int) -> str:
    """Return the address of the moment of these entries; of the deal, or of the table, if there is none."""
    if deal is None:
        return f"/t/{table}"
    return step_address_of(fold, Viewpoint(table=table, deal=deal), versions) if versions else f"/t/{table}/{deal}"
