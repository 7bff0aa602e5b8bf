"""What games share: tricks, cards held, payments, and what a deal, a match and a game are. It knows no game."""
