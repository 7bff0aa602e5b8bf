"""The layers of the package: imports go down, cycles stay away, and docs/architecture.md is up to date."""

import ast
import re
import tomllib
from collections.abc import Iterator
from copy import deepcopy
from itertools import pairwise
from typing import Any

import grimp
import pytest
from grimp import ImportGraph

from tools.architecture import PAGE, ROOT, floors

CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
TEXT = PAGE.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def graph() -> ImportGraph:
    """Return every import of the package, including those within functions and for type checking."""
    return grimp.build_graph("ledger", cache_dir=None)


def layers(contract: dict[str, Any]) -> list[grimp.Layer]:
    """Return the layers of a contract as the checker takes them; rooms separated by `|` are independent."""
    return [grimp.Layer(*re.findall(r"\w+", layer), independent=":" not in layer) for layer in contract["layers"]]


def against_the_floors(graph: ImportGraph) -> set[tuple[str, str]]:
    """Return the forbidden imports as pairs of rooms."""
    return {
        (dependency.importer, dependency.imported)
        for contract in CONTRACTS
        if contract["type"] == "layers"
        for dependency in graph.find_illegal_dependencies_for_layers(
            layers(contract), containers=set(contract["containers"])
        )
    }


def circles(graph: ImportGraph) -> Iterator[set[str]]:
    """Yield the sets of modules that import each other, directly or not."""
    reached = {module: graph.find_downstream_modules(module) for module in graph.modules}
    left = set(graph.modules)
    while left:
        module = left.pop()
        circle = {module} | {other for other in reached[module] if module in reached[other]}
        left -= circle
        if len(circle) > 1:
            yield circle


def test_every_room_imports_from_lower_floors_alone(graph: ImportGraph) -> None:
    assert against_the_floors(graph) == set()


def test_every_room_of_the_package_belongs_to_a_floor() -> None:
    package = ROOT / "ledger"
    rooms = {path.name.removesuffix(".py") for path in package.iterdir() if path.suffix == ".py" or path.is_dir()}
    apart = {"__init__", "__main__", "__pycache__", "py.typed"}
    assert rooms - apart == {room for rooms in floors() for room in rooms}


def test_imports_planted_against_the_floors_and_between_games_are_detected(graph: ImportGraph) -> None:
    upwards = [(low, high) for lower, higher in pairwise(reversed(floors())) for low in lower for high in higher]
    planted = {(f"ledger.{low}", f"ledger.{high}") for low, high in upwards}
    for other in ("quadrille", "couillon", "kop"):
        planted |= {(f"ledger.games.{room}", f"ledger.games.{other}") for room in ("ombre", "kernel")}
    spoiled = deepcopy(graph)
    for importer, imported in planted:
        spoiled.add_import(importer=importer, imported=imported)
    assert planted <= against_the_floors(spoiled)


def test_no_imports_go_round_in_a_circle(graph: ImportGraph) -> None:
    assert [sorted(circle) for circle in circles(graph)] == []


def test_a_planted_circle_is_counted(graph: ImportGraph) -> None:
    planted = deepcopy(graph)
    planted.add_import(importer="ledger.cards", imported="ledger.games.ombre.deal")
    assert any({"ledger.cards", "ledger.games.ombre.deal"} <= circle for circle in circles(planted))


def written_from_outside(source: str) -> Iterator[str]:
    """Yield the statements that write a field of another object, except of the copy being made."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assign | ast.Delete):
            targets = node.targets
        elif isinstance(node, ast.AugAssign | ast.AnnAssign):
            targets = [node.target]
        else:
            continue
        parts = [part for target in targets for part in getattr(target, "elts", [target])]
        if any(is_foreign(part) for part in parts):
            yield ast.unparse(node)


def is_foreign(target: ast.expr) -> bool:
    """Return whether this is a field of another object, or an item of one."""
    if isinstance(target, ast.Subscript):
        return is_foreign(target.value)
    return isinstance(target, ast.Attribute) and ast.unparse(target.value) not in ("self", "twin")


def test_only_its_state_and_its_phases_write_the_fields_of_a_deal() -> None:
    writing = {
        str(path.relative_to(ROOT)): statements
        for path in (ROOT / "ledger" / "games").rglob("*.py")
        if path.name != "state.py" and (statements := list(written_from_outside(path.read_text(encoding="utf-8"))))
    }
    assert writing == {}


def test_a_field_written_from_outside_is_detected() -> None:
    planted = (
        "def bid(state, seat):\n    state.phase = 'play'\n    state.holdings.known[seat] |= 1\n    self.turn = seat\n"
    )
    assert list(written_from_outside(planted)) == ["state.phase = 'play'", "state.holdings.known[seat] |= 1"]


def starting_points() -> list[tuple[str, bool, str]]:
    """Return the files of each listed change: the change, whether the file is new, and its path."""
    changes = re.findall(r"^### (.+?)\n(.*?)(?=^##|\Z)", TEXT.partition("## Where to start")[2], re.M | re.S)
    return [
        (change, bool(new), path)
        for change, body in changes
        for new, path in re.findall(r"^- (new )?`([^`]+)`", body, re.M)
    ]


def test_the_commonest_changes_are_listed() -> None:
    assert len({change for change, _, _ in starting_points()}) == 16


def test_the_files_of_every_change_exist() -> None:
    """`*` in a path is what is the same for each game. The folder of a new file exists, or the file is its first."""
    for change, is_new, path in starting_points():
        folder = (ROOT / path).parent
        assert bool(list(ROOT.glob(path))) != is_new, (change, path)
        assert not is_new or folder.is_dir() or folder.parent.is_dir(), (change, path)
