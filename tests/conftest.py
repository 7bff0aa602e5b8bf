"""What all tests share: the Hypothesis profiles, and how a test says that it needs a program that may be missing."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, settings

# A shell starts its background jobs with Ctrl-C ignored, and so would they start the processes to which tests send it.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Tests compare English answers, whatever language whoever runs them speaks; those of other languages say so.
os.environ["TRICKLEDGER_LANG"] = "en"

IN_CI = os.environ.get("CI", "").lower() in {"1", "true", "yes"}

# The machine's load decides how long an example takes, so no deadline. In CI the same examples each time: a red run can
# be repeated. `make soak` searches longer.
settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("soak", deadline=None, max_examples=5_000, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if IN_CI else "default"))


@pytest.fixture(scope="session")
def ci_requires() -> Callable[[str], str]:
    """`node = ci_requires("node")`: the program's path; without it the test is left out, loudly, and fails in CI."""

    def path_of(program: str) -> str:
        path = shutil.which(program)
        if path is not None:
            return path
        if IN_CI:
            pytest.fail(f"CI must have `{program}`: without it this test proves nothing", pytrace=False)
        pytest.skip(f"LEFT OUT: `{program}` is not installed")

    return path_of
