"""Properties of every lawful table of Ombre: those of all games, with Ombre's strategies."""

from tests.contracts.any_record import AnyRecord
from tests.contracts.lawful_tables import LawfulTables
from tests.games.ombre import strategies


class TestLawfulTables(LawfulTables):
    tables = strategies
    may_be_untold = frozenset({"estuches"})


class TestAnyRecord(AnyRecord):
    """Every record can be read, however wrong it is."""

    tables = strategies
