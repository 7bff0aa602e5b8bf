"""Run the command `trickledger` with `python -m ledger`; the imports are inside `run` so that Ctrl-C is quiet from the
start.
"""

from ledger.interrupts import end_quietly


def run() -> None:
    """Run the command line."""
    end_quietly()
    from ledger.cli import main

    main(prog_name="trickledger")


if __name__ == "__main__":
    run()
