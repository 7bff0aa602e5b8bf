"""The report of a session: one printable page with results, tables, notable deals, rulings, plots and proof."""
