"""Fixtures of all tests in this folder."""

from tests.quick_history import quick_history  # noqa: F401 - pytest finds it here
