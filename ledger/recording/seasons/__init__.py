"""Invented years of a club: players of different skill, evenings, absences, and mistakes in the record."""
