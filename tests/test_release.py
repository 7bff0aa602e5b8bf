"""The release workflow names the right builds; whether it runs is not tested."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parent.parent
WORKFLOW: dict[Any, Any] = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8"))
JOBS = WORKFLOW["jobs"]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
BUILDS = PROJECT["tool"]["cibuildwheel"]


def used(job: str) -> set[str]:
    return {step["uses"].partition("@")[0] for step in JOBS[job]["steps"] if "uses" in step}


def uploaded(job: str) -> list[str]:
    return [step["with"]["path"] for step in JOBS[job]["steps"] if step.get("uses", "").startswith("actions/upload-")]


def test_wheels_are_built_on_linux_and_macos_for_both_kinds_of_processor() -> None:
    runners = JOBS["wheels"]["strategy"]["matrix"]["runner"]
    assert JOBS["wheels"]["runs-on"] == "${{ matrix.runner }}"
    assert sorted(runners) == ["macos-15", "macos-15-intel", "ubuntu-24.04", "ubuntu-24.04-arm"]
    assert "pypa/cibuildwheel" in used("wheels")
    assert uploaded("wheels") == ["wheelhouse/*.whl"]


def test_wheels_are_built_for_each_python_from_3_11_to_3_14() -> None:
    assert BUILDS["build"] == [f"cp3{minor}-*" for minor in range(11, 15)]
    assert PROJECT["project"]["requires-python"] == ">=3.11"


def test_the_wheels_are_the_compiled_ones() -> None:
    assert BUILDS["environment"]["HATCH_BUILD_HOOKS_ENABLE"] == "1"
    assert "mypyc" in PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]


def test_every_wheel_is_tried_as_the_one_of_this_machine_is() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    here = re.findall(r"tools/try_wheel\.sh \S+ ([a-z]+)$", makefile, re.MULTILINE)
    assert here == ["commands", "pages", "rules"]
    assert BUILDS["test-command"] == [f"sh {{project}}/tools/try_wheel.sh python {part}" for part in here]
    assert BUILDS["test-extras"] == ["serve", "test"]


def test_the_source_is_released_too() -> None:
    assert "pipx run build --sdist" in [step.get("run") for step in JOBS["source"]["steps"]]
    assert uploaded("source") == ["dist/*.tar.gz"]


def test_only_a_tag_publishes_and_only_what_was_built_whole() -> None:
    events = WORKFLOW[True]  # YAML reads `on` as a boolean
    assert events == {"push": {"tags": ["v*"]}, "workflow_dispatch": None}
    assert JOBS["publish"]["needs"] == [job for job in JOBS if job != "publish"]
    assert JOBS["publish"]["if"] == "startsWith(github.ref, 'refs/tags/v')"
    assert WORKFLOW["permissions"] == {"contents": "read"}


@pytest.mark.parametrize("script", sorted((ROOT / "tools").glob("*.sh")), ids=lambda path: path.name)
def test_every_script_of_a_build_can_be_read_by_a_plain_shell(script: Path) -> None:
    assert subprocess.run(["sh", "-n", str(script)], check=False).returncode == 0
