"""From deal to deal: the end of the match, rulings, voided deals and recorded results (COU section 8, 10.2 to 10.8)."""

import pytest

from ledger.errors import MalformedError
from tests.games.couillon.tables import Table
from tests.games.scripted import cases_of


def blocked(**options):
    """A deal whose cards do not count: seat 0 was dealt five."""
    return Table(**options).start(3).dealt({0: "SA HA DA CA S9"})


@pytest.mark.parametrize("kind", ["adjust", "replace"])
def test_amounts_cannot_be_ruled(kind):
    with pytest.raises(MalformedError, match="kind is not in Couillon"):
        Table().start(3).ruled(kind).shaped()


test_each_case_of_the_file = cases_of("couillon/match.txt", Table, blocked)
