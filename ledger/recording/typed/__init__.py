"""The lines that a recorder types during the game: a few signs, read by what may come next. No terminal in here."""
