"""The project's files agree with each other, and contain nothing private; workflows test and build the right things."""

import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

import ledger
from ledger.cli import main

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
GAMES = ROOT / "ledger" / "games"
ISSUE_FORMS = ROOT / ".github" / "ISSUE_TEMPLATE"


def words_of(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def normal_name(requirement: str) -> str:
    """Return the normalised name of the distribution in a requirement."""
    match = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert match, requirement
    return re.sub(r"[-_.]+", "-", match[0]).lower()


def direct_dependencies() -> set[str]:
    extras = PROJECT["project"]["optional-dependencies"].values()
    named = PROJECT["project"]["dependencies"] + [requirement for extra in extras for requirement in extra]
    return {normal_name(requirement) for requirement in named} - {"trickledger"}


def locked() -> dict[str, str]:
    lines = [line for line in words_of("requirements.lock").splitlines() if line and not line.startswith("#")]
    pins = [line.partition("==") for line in lines]
    return {normal_name(name): version for name, _, version in pins}


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):", words_of("Makefile"), re.MULTILINE))


def published_files() -> list[Path]:
    """Return the files that a clone would hold: those in git or about to be, or all files without git."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if listed.returncode:
        return [
            path for path in ROOT.rglob("*") if path.is_file() and not any(p.startswith(".venv") for p in path.parts)
        ]
    return [path for name in listed.stdout.decode().split("\0") if name and (path := ROOT / name).is_file()]


@pytest.mark.parametrize("paper", ["README.md", "CONTRIBUTING.md"])
def test_every_make_command_that_a_paper_shows_exists(paper):
    shown = set(re.findall(r"(?:^|`)make ([a-z-]+)", words_of(paper), re.MULTILINE))
    assert shown, f"{paper} shows no make command"
    assert shown <= make_targets()


def test_lines_of_pages_are_short_except_in_tables_code_and_links():
    pages = [path for path in published_files() if path.suffix == ".md" and not path.name.startswith("rules.")]
    assert len(pages) > 50
    long = [
        f"{path.relative_to(ROOT)}: {line[:60]}"
        for path in pages
        for line in re.sub(r"^ *(`{3,}|~{3,}).*?^ *\1", "", path.read_text("utf-8"), flags=re.M | re.S).splitlines()
        if len(line) > 120 and not line.startswith("|") and not re.search(r"\]\(|https?:", line)
    ]
    assert long == []


def test_every_link_of_a_page_leads_somewhere():
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    links = [(page, target) for page in pages for target in re.findall(r"\]\(([^)#]+)", page.read_text("utf-8"))]
    inside = [(page, target) for page, target in links if not target.startswith(("https://", "http://"))]
    assert {"api.md", "architecture.md", "contract.md"} <= {page.name for page, _ in inside}
    assert [(page.name, target) for page, target in inside if not (page.parent / target).exists()] == []


def test_make_help_names_every_target():
    described = set(re.findall(r"^([a-z-]+):.*## ", words_of("Makefile"), re.MULTILINE))
    assert described == make_targets()


def test_the_changelog_has_one_page_a_version_and_begins_with_that_of_the_package():
    _, *sections = re.split(r"^## ", words_of("CHANGELOG.md"), flags=re.MULTILINE)
    versions = [re.match(r"\[(\d+\.\d+\.\d+)\] - \S", section) for section in sections]
    assert next(version[1] for version in versions if version) == PROJECT["project"]["version"] == ledger.__version__
    assert all(versions) and max(section.count("\n") for section in sections) <= 75


def test_the_citation_names_what_the_package_names():
    citation, project = yaml.safe_load(words_of("CITATION.cff")), PROJECT["project"]
    assert {"cff-version", "message", "title", "authors"} <= citation.keys()  # required by the Citation File Format
    assert (citation["cff-version"], citation["type"]) == ("1.2.0", "software")
    for key in ("version", "license", "keywords", "authors"):
        assert citation[key] == project[key], key


def test_a_form_for_a_bug_asks_for_the_doctor_and_one_for_a_rule_for_its_number():
    forms = {path.stem: yaml.safe_load(path.read_text("utf-8")) for path in ISSUE_FORMS.glob("*.yml")}
    assert isinstance(forms.pop("config")["blank_issues_enabled"], bool)
    labels = {}
    for name, form in forms.items():
        assert form["name"] and form["description"] and form["labels"]
        fields = [field for field in form["body"] if field["type"] != "markdown"]
        assert {field["type"] for field in fields} <= {"input", "textarea", "dropdown", "checkboxes"}
        labels[name] = {field["id"]: field["attributes"]["label"] for field in fields}
        assert len(labels[name]) == len(fields)
        shown = set(re.findall(r"`trickledger ([a-z]+)", str(form)))
        assert shown <= main.commands.keys()
    assert labels.keys() == {"bug", "rule", "feature"}
    assert "trickledger doctor" in labels["bug"]["doctor"]
    assert "number" in labels["rule"]["rule"]


def test_every_dependency_is_accounted_for():
    described = {name.lower() for name in re.findall(r"^### `([^`]+)`", words_of("docs/dependencies.md"), re.MULTILINE)}
    assert described == direct_dependencies() | {"hatchling", "hatch-mypyc"}


def test_the_lock_file_pins_every_dependency():
    pins = locked()
    assert direct_dependencies() <= pins.keys()
    assert all(re.fullmatch(r"[0-9][0-9a-z.+!]*", version) for version in pins.values())


def test_the_lock_file_holds_no_address():
    assert not re.search(r"://|@ |--(?:extra-)?index-url|--find-links", words_of("requirements.lock"))


def test_every_game_has_its_rulebook_and_is_separated_from_the_others():
    contracts = PROJECT["tool"]["importlinter"]["contracts"]
    apart = " ".join(
        layer
        for contract in contracts
        if contract.get("containers") == ["ledger.games"]
        for layer in contract["layers"]
    )
    for game in sorted(path.parent for path in GAMES.glob("*/rules.md")):
        assert (game / "deal.py").is_file(), f"{game.name} has no deal.py"
        assert f"({game.name})" in apart, f"{game.name} is missing in the import contract of the games"


def test_every_module_about_one_database_is_closed_to_other_rooms():
    protected = next(
        contract["protected_modules"]
        for contract in PROJECT["tool"]["importlinter"]["contracts"]
        if contract["type"] == "protected"
    )
    paths = [path for kind in ("sqlite", "postgres") for path in (ROOT / "ledger" / "log").glob(f"{kind}*.py")]
    modules = {f"ledger.log.{path.stem}" for path in paths}
    assert set(protected) == modules


def test_no_file_names_a_machine_or_a_registry():
    # Split so that this file does not match itself.
    private = re.compile(
        r"(?<![\w.])/(?:work|root|opt)/" + r"|files\.python" + r"hosted|py" + r"pi\.org|registry\.np" + r"mjs"
    )
    violations = []
    for path in published_files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        violations += [f"{path.relative_to(ROOT)}: {match[0]}" for match in private.finditer(text)]
    assert not violations


WORKFLOWS: dict[str, dict[Any, Any]] = {
    path.stem: yaml.safe_load(path.read_text("utf-8")) for path in (ROOT / ".github" / "workflows").glob("*.yml")
}
JOBS = WORKFLOWS["release"]["jobs"]
CI_JOBS = WORKFLOWS["ci"]["jobs"]

BUILDS = PROJECT["tool"]["cibuildwheel"]
PYTHONS = [f"3.{minor}" for minor in range(11, 15)]


def used(job: str) -> set[str]:
    return {step["uses"].partition("@")[0] for step in JOBS[job]["steps"] if "uses" in step}


def commands_of(job: dict[str, Any]) -> list[str]:
    return [step["run"] for step in job["steps"] if "run" in step]


@pytest.mark.parametrize("workflow", WORKFLOWS)
def test_a_workflow_reads_only_keeps_no_credentials_and_names_targets_of_make(workflow: str) -> None:
    assert WORKFLOWS[workflow]["permissions"] == {"contents": "read"}
    jobs = WORKFLOWS[workflow]["jobs"].values()
    checkouts = [step for job in jobs for step in job["steps"] if step.get("uses", "").startswith("actions/checkout@")]
    assert checkouts and all(step["with"]["persist-credentials"] is False for step in checkouts)
    made = {command.split()[-1] for job in jobs for command in commands_of(job) if command.startswith("make ")}
    assert made <= make_targets()


def test_every_push_is_linted_and_tried_on_each_python() -> None:
    assert {"push", "pull_request"} <= WORKFLOWS["ci"][True].keys()
    assert {name: commands_of(job) for name, job in CI_JOBS.items()} == {
        "lint": ["make lint"],
        "quick": ["make quick"],
        "test": ["make test"],
    }
    assert CI_JOBS["quick"]["strategy"]["matrix"]["python"] == PYTHONS
    assert CI_JOBS["test"]["strategy"]["matrix"]["python"] == [PYTHONS[0], PYTHONS[-1]]
    image = "python:${{ matrix.python }}-trixie"
    assert CI_JOBS["quick"]["container"] == CI_JOBS["test"]["container"]["image"] == image


def uploaded(job: str) -> list[str]:
    return [step["with"]["path"] for step in JOBS[job]["steps"] if step.get("uses", "").startswith("actions/upload-")]


def test_wheels_are_built_on_linux_and_macos_for_both_kinds_of_processor() -> None:
    runners = JOBS["wheels"]["strategy"]["matrix"]["runner"]
    assert JOBS["wheels"]["runs-on"] == "${{ matrix.runner }}"
    assert sorted(runners) == ["macos-15", "macos-15-intel", "ubuntu-24.04", "ubuntu-24.04-arm"]
    assert "pypa/cibuildwheel" in used("wheels")
    assert uploaded("wheels") == ["wheelhouse/*.whl"]


def test_compiled_wheels_are_built_for_each_python_from_3_11_to_3_14() -> None:
    assert BUILDS["build"] == [f"cp{python.replace('.', '')}-*" for python in PYTHONS]
    assert PROJECT["project"]["requires-python"] == f">={PYTHONS[0]}"
    classifiers = "\n".join(PROJECT["project"]["classifiers"])
    assert re.findall(r"Python :: (3\.\d+)", classifiers) == PYTHONS[:3]  # those that the suite ran on
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
    # Its tests read the workflows.
    assert PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["exclude"] == ["/.ci"]


def test_only_a_tag_publishes_and_only_what_was_built_whole() -> None:
    events = WORKFLOWS["release"][True]  # YAML reads `on` as a boolean
    assert events == {"push": {"tags": ["v*"]}, "workflow_dispatch": None}
    assert JOBS["publish"]["needs"] == [job for job in JOBS if job != "publish"]
    assert JOBS["publish"]["if"] == "startsWith(github.ref, 'refs/tags/v')"


@pytest.mark.parametrize("script", sorted((ROOT / "tools").glob("*.sh")), ids=lambda path: path.name)
def test_every_script_of_a_build_can_be_read_by_a_plain_shell(script: Path) -> None:
    assert subprocess.run(["sh", "-n", str(script)], check=False).returncode == 0
