"""Lets the shared suites say what they compared when they fail."""

import pytest

pytest.register_assert_rewrite("tests.contracts.game_suite", "tests.contracts.log_store")
