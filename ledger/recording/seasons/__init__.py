"""Made-up years of a club: people of different skill, evenings, absences, and all that goes amiss in a record."""
