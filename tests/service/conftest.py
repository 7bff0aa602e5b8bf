"""What all tests of this folder share."""

from tests.quick_history import quick_history  # noqa: F401 - pytest finds it here
