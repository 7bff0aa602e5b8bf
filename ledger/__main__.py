"""`python -m ledger` is the command `trickledger`; whatever is loaded for it is loaded within `run`."""

from ledger.interrupts import end_quietly


def run() -> None:
    end_quietly()
    from ledger.cli import main

    main(prog_name="trickledger")


if __name__ == "__main__":
    run()
