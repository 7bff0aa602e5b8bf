"""The pages of a replay: one step of a deal, its two readings, and its table."""
