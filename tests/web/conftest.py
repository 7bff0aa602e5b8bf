"""What all tests of this folder share."""

from tests.bare_history import bare_history  # noqa: F401 - pytest finds it here
