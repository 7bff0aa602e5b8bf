"""A deal as a page replays it: what is to be shown of one step, of both readings, and of its table."""
