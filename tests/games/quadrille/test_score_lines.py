"""What the lines of a score hold that no record under `replays/` has (QUA-7.6 to 7.32)."""

from tests.games.quadrille.tables import Table
from tests.games.scripted import cases_of

test_each_case_of_the_file = cases_of("quadrille/score_lines.txt", Table)
