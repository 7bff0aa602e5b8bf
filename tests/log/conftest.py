import pytest

pytest.register_assert_rewrite("tests.contracts.log_store", "tests.contracts.log_store_imports")
