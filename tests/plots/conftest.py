from tests.history.season import season, season_history, season_path  # noqa: F401 - pytest finds them here
