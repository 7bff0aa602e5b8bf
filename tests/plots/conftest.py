from tests.history.quick_sandbox import forked_answers, quick_queries  # noqa: F401 - pytest finds them here
from tests.history.season import season, season_history, season_path  # noqa: F401 - pytest finds them here
from tests.quick_history import quick_history  # noqa: F401 - pytest finds it here
