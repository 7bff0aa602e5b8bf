"""Pictures of the table from above, as SVG and PNG: pure functions of a state, the same bytes for the same state."""
