"""The clients of most tests."""

from typing import Final

from ledger.access.grants import Grant

VIEWER: Final = Grant(token="viewer-1", role="viewer")
RECORDER: Final = Grant(token="recorder-1", role="recorder")
DIRECTOR: Final = Grant(token="director-1", role="director")
SEER: Final = Grant(token="director-2", role="director", hands=True)
"""A director who may see open hands."""
ADMIN: Final = Grant(token="admin-1", role="admin")
NOBODY: Final = None
"""A client without a token."""

BY_ROLE: Final = {grant.role: grant for grant in (VIEWER, RECORDER, DIRECTOR, ADMIN)}
