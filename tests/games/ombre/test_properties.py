"""What holds for every lawful table of Ombre: of every game, with Ombre's strategies."""

from tests.contracts.any_record import AnyRecord
from tests.contracts.lawful_tables import LawfulTables
from tests.games.ombre import strategies


class TestLawfulTables(LawfulTables):
    tables = strategies
    may_be_untold = frozenset({"estuches"})


class TestAnyRecord(AnyRecord):
    """No record, however wrong, stops the reading of it."""

    tables = strategies
