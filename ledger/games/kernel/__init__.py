"""Parts that all games share: tricks, hands, payments, and the types of a deal, a match and a game."""
