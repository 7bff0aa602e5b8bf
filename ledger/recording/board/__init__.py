"""The facts that a recorder on a phone sees during a deal: the board and the possible acts. Pure."""
