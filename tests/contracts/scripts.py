"""Scripts of what a store is told and what it answers: text files with a title and the steps of each case."""

from __future__ import annotations

from pathlib import Path


def scripts(name: str) -> dict[str, list[str]]:
    """Return the steps of each case of a file in this folder, by its title; the file begins with a comment."""
    _, *cases = Path(__file__).with_name(name).read_text(encoding="utf-8").split("\n## ")
    titled = (case.partition("\n") for case in cases)
    return {title: [step.strip() for step in steps.splitlines() if step.strip()] for title, _, steps in titled}
