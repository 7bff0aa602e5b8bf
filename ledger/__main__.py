"""`python -m ledger` is the command `trickledger`."""

from ledger.cli import main

if __name__ == "__main__":
    main(prog_name="trickledger")
