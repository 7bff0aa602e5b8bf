"""Pictures of the table from above, as SVG and PNG: pure functions of a state, with the same bytes for the same
state.
"""
