"""The pages of a recorder at a table: what may be recorded next, and what was recorded."""
