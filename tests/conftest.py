"""What all tests share: the Hypothesis profiles, and how a test says that it needs a program that may be missing."""

from __future__ import annotations

import atexit
import gc
import os
import shutil
import signal
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.faults.strace import can_trace

# The shared suites say what they compared when they fail.
pytest.register_assert_rewrite("tests.contracts")

# A shell starts its background jobs with Ctrl-C ignored, and so would they start the processes to which tests send it.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Tests compare English answers, whatever language whoever runs them speaks; those of other languages say so.
os.environ["TRICKLEDGER_LANG"] = "en"
# So they do the times of London in winter.
os.environ["TZ"] = "UTC"
time.tzset()

# Hypothesis measures garbage collections by a callback that keeps modules alive beyond the end of the interpreter, and
# with them the types of DuckDB, which reports these as leaked.
atexit.register(gc.callbacks.clear)

IN_CI = os.environ.get("CI", "").lower() in {"1", "true", "yes"}

# How long an example takes depends on the machine's load: no deadline, no health check of speed. The same examples are
# tried in each run, so that a red run repeats; `make soak` searches at random and prints what repeats a failure.
FOR_ALL: dict[str, Any] = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("default", derandomize=True, **FOR_ALL)
settings.register_profile("quick", derandomize=True, max_examples=15, **FOR_ALL)
settings.register_profile("soak", max_examples=1_000, print_blob=True, **FOR_ALL)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or "default")


@pytest.fixture(scope="session")
def ci_requires() -> Callable[..., str]:
    """`node = ci_requires("node")`: the program's path; without it the test is left out, loudly, and fails in CI.

    Of several programs the first that is there, for any of them will do.
    """

    def path_of(*programs: str) -> str:
        path = next(filter(None, map(shutil.which, programs)), None)
        if path is not None:
            return path
        named = " or ".join(f"`{program}`" for program in programs)
        if IN_CI:
            pytest.fail(f"CI must have {named}: without it this test proves nothing", pytrace=False)
        pytest.skip(f"LEFT OUT: {named} is not installed")

    return path_of


@pytest.fixture(scope="session")
def tracing(ci_requires: Callable[[str], str]) -> str:
    """The path of `strace`, where it may trace a process; else as `ci_requires`."""
    strace = ci_requires("strace")
    if not can_trace(strace):  # a container may forbid it
        forbidden = "LEFT OUT: `strace` may not trace a process here"
        pytest.fail(forbidden, pytrace=False) if IN_CI else pytest.skip(forbidden)
    return strace


SLOW = (
    "access/test_refused_by_system",
    "cli/test_completion",
    "cli/test_exit_statuses",
    "cli/test_export_and_simulate",
    "cli/test_frame",
    "cli/test_fuzz",
    "cli/test_guide",
    "cli/test_import",
    "cli/test_language",
    "cli/test_output_files",
    "cli/test_players",
    "cli/test_proving",
    "cli/test_record",
    "cli/test_record_killed",
    "cli/test_refusals",
    "cli/test_report",
    "cli/test_serve",
    "cli/test_session",
    "cli/test_slips",
    "cli/test_streams",
    "cli/test_texts_of_others",
    "cli/test_transcripts",
    "cli/test_wholly_japanese",
    "contracts/test_games",
    "evolution",
    "faults",
    "fuzz/test_parsers",
    "games/couillon/test_following",
    "games/couillon/test_properties",
    "games/kop/test_properties",
    "games/ombre/test_properties",
    "games/quadrille/test_properties",
    "games/test_looking_ahead",
    "games/test_masked_deals",
    "games/test_perft",
    "history/test_cards_held",
    "history/test_catching_up",
    "history/test_commands",
    "history/test_comparison",
    "history/test_coverage",
    "history/test_cut",
    "history/test_filters",
    "history/test_min_deals",
    "history/test_order",
    "history/test_parallel",
    "history/test_parquet_export",
    "history/test_people",
    "history/test_place",
    "history/test_query_shell",
    "history/test_rows",
    "history/test_sandbox",
    "history/test_seal",
    "history/test_sentences",
    "history/test_source",
    "history/test_statistics",
    "history/test_statistics_by_hand",
    "log/test_altered_bytes",
    "log/test_backup",
    "log/test_contract",
    "log/test_kill",
    "log/test_log_format",
    "log/test_merkle",
    "log/test_model",
    "log/test_proof_docs",
    "log/test_receipt",
    "log/test_refused_by_system",
    "log/test_verify",
    "plots",
    "recording/board/test_recorded_deals",
    "recording/live/test_live_as_seen",
    "recording/live/test_live_table",
    "recording/seasons/test_season",
    "recording/seasons/test_skills",
    "recording/test_anonymous",
    "recording/test_comparing",
    "recording/test_correcting",
    "recording/test_correcting_deal",
    "recording/test_form",
    "recording/test_full_width",
    "recording/test_growing",
    "recording/test_hand_record_fuzz",
    "recording/test_hand_record_refusals",
    "recording/test_layout",
    "recording/test_moved_seats",
    "recording/test_slips",
    "recording/test_whole_ledger",
    "recording/test_written_record",
    "recording/typed/test_any_line",
    "recording/typed/test_recorded_deals",
    "reports",
    "schemas/test_answers",
    "schemas/test_commands",
    "service/test_history",
    "service/test_ring",
    "service/test_two_worlds",
    "site",
    "test_api",
    "test_api_docs",
    "test_architecture",
    "test_bench",
    "test_catalogues",
    "test_compiled",
    "test_covering",
    "test_errors",
    "test_golden",
    "test_limits",
    "test_outside",
    "test_replays",
    "test_run_tests",
    "test_third_party",
    "text/pictures/test_png",
    "text/pictures/test_table",
    "text/site/replay/test_every_replay",
    "text/site/test_recorder_screen",
    "text/site/test_scripts",
    "text/test_case",
    "text/test_no_sentence_in_code",
    "text/test_session_page",
    "thirdparty/test_registration",
    "thirdparty/test_whist_commands",
    "thirdparty/test_whist_contract",
    "thirdparty/test_whist_statistics",
    "web/site/test_beginning",
    "web/site/test_page_forms",
    "web/site/test_page_roles",
    "web/site/test_recording_of_two_worlds",
    "web/site/test_replay",
    "web/test_cases",
    "web/test_connections",
    "web/test_edges",
    "web/test_failing_ledger",
    "web/test_hostile_requests",
    "web/test_http_page",
    "web/test_killed_server",
    "web/test_linked_players",
    "web/test_live",
    "web/test_live_load",
    "web/test_nobody_can_tell",
    "web/test_openapi",
    "web/test_people",
    "web/test_refusals",
    "web/test_roles",
    "web/test_schemathesis",
    "web/test_server",
    "web/test_signing_in",
    "web/test_streaming",
    "web/test_tables",
    "web/test_unseen",
)
"""Files that take more than a second of processor, by `build/tests/costs.tsv`; `make quick` leaves them out."""


_BEGAN_AT = pytest.StashKey[float]()


def _processor_s() -> float:
    """Return the seconds of processor that this process and the children it waited for have used."""
    return sum(os.times()[:4])


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None]:
    item.stash[_BEGAN_AT] = _processor_s()
    return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None]:
    """Note the test's name and processor seconds in the JUnit report, which `tools.run_tests` reads."""
    try:
        return (yield)
    finally:
        used_s = _processor_s() - item.stash[_BEGAN_AT]
        item.user_properties += [("test", item.nodeid), ("processor_s", f"{used_s:.3f}")]


def _is_slow(path: Path) -> bool:
    name = path.relative_to(Path(__file__).parent).with_suffix("").as_posix()
    return any(name == slow or name.startswith(f"{slow}/") for slow in SLOW)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip reading slow files where they are left out anyway: that takes as long as many a quick test."""
    leaves_out_slow = "not slow" in config.option.markexpr
    return True if leaves_out_slow and collection_path.suffix == ".py" and _is_slow(collection_path) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is slow, in one place: a file does not know how long it takes beside the others."""
    for item in items:
        if _is_slow(item.path):
            item.add_marker(pytest.mark.slow)
