"""Print how many mutants the tests found, by file, from the output of `mutmut results --all true`; used by `make
mutants`.

Exits with 1 if fewer than 90 of 100 mutants of a file were found. `mutmut show NAME` shows a mutant that no test found.
"""

from __future__ import annotations

import sys
from collections import defaultdict

KILLED = frozenset(("killed", "timeout", "segfault"))
LEAST_KILLED_PERCENT = 90


def main() -> int:
    """Print the mutants that survived and the share found in each file, and return the exit status."""
    missed: dict[str, list[str]] = defaultdict(list)
    total: dict[str, int] = defaultdict(int)
    for line in sys.stdin:
        name, _, status = line.strip().rpartition(": ")
        if status == "not checked":  # a mutant of another game
            continue
        module = name.rpartition(".")[0]
        total[module] += 1
        if status not in KILLED:
            missed[module].append(f"{name}: {status}")
    for name in sorted(name for names in missed.values() for name in names):
        print(name)
    percent = {module: 100 * (count - len(missed[module])) / count for module, count in total.items()}
    for module in sorted(percent):
        print(f"{module}: {total[module] - len(missed[module])} of {total[module]} found, {percent[module]:.1f} %")
    return 0 if percent and min(percent.values()) >= LEAST_KILLED_PERCENT else 1


if __name__ == "__main__":
    sys.exit(main())
