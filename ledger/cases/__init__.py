"""The case sheet: one page on one dispute, with what a director decides by and what it rests on. Begin at `sheet`."""
