"""Hand records: TOML files that people type from a paper sheet, read as events. Start with `record`."""
