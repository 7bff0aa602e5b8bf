"""Run all benchmarks, or the named ones, and print a table for each: `python -m bench [NAME …]`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules

import bench


def names() -> list[str]:
    """Return the names of the modules that measure something."""
    return sorted(module.name for module in iter_modules(bench.__path__) if not module.name.startswith("_"))


def main(wanted: list[str]) -> None:
    """Run the benchmarks in `wanted`, or all of them, and print their figures."""
    known = names()
    unknown = sorted(set(wanted) - set(known))
    if unknown:
        sys.exit(f"there is no measurement {', '.join(unknown)}; there is {', '.join(known)}")
    for name in wanted or known:
        is_screen = sys.stderr.isatty()
        print(f"measuring {name} …", end="" if is_screen else "\n", file=sys.stderr, flush=True)
        figures = import_module(f"bench.{name}").main()
        print("\r\033[K" if is_screen else "", end="", file=sys.stderr, flush=True)
        print(table({name: figures}), flush=True)


def table(measured: Mapping[str, Mapping[str, float]]) -> str:
    """Format the figures of benchmarks, one per line, each as a rate, a ratio or a count."""
    lines = []
    for name, figures in measured.items():
        lines.append(name)
        lines.extend(f"  {label:<52} {_figure(label, value)}" for label, value in figures.items())
        lines.append("")
    return "\n".join(lines)


def _figure(label: str, value: float) -> str:
    if "(ratio)" in label:
        return f"{value:>14,.2f}"
    if label.endswith(")"):  # the label names the unit, e.g. "worst wait (ms)"
        return f"{value:>14,.1f}" if value < 1000 else f"{value:>14,.0f}"
    return f"{value:>14,.0f} /s"


if __name__ == "__main__":
    main(sys.argv[1:])
