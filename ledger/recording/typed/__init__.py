"""What a recorder types while the game goes on: a few signs, read by what may come next. No terminal in here."""
