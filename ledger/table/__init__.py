"""A table, read: its entries as corrected, folded through its game, and the answers about it. Pure."""
