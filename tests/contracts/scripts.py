"""Scripts of requests and expected answers: text files with a title and the steps of each case."""

from pathlib import Path


def scripts(file: Path) -> dict[str, list[str]]:
    """Return the steps of each case of a file, by its title; the file begins with a comment."""
    _, *cases = file.read_text(encoding="utf-8").split("\n## ")
    titled = (case.partition("\n") for case in cases)
    return {title: [step.strip() for step in steps.splitlines() if step.strip()] for title, _, steps in titled}
