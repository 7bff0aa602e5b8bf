"""Hand records: the TOML file that somebody types from a paper sheet, read as events. Begin at `record`."""
