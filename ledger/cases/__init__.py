"""Case sheets: a dispute on one page, with what a director needs in order to decide it."""
