"""The first five tricks, stopping and the vole (OMB-6.17 to 6.21), and wrong stops (OMB-11.41)."""

from tests.games.ombre.tables import with_winners
from tests.games.scripted import cases_of

test_each_case_of_the_file = cases_of("ombre/first_five.txt", with_winners)
