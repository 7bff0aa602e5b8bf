"""What a recorder on a phone is shown while a deal goes on: what lies there, and what may come, each as facts. Pure."""

from ledger.recording.board.keyboard import Key, Keyboard, keyboard_of
from ledger.recording.board.offers import ByWhom, Exchange, Offer, Offers, offers_in, vocabulary
from ledger.recording.board.standing import Board, LastBy, board_of, turned_up

__all__ = [
    "Board",
    "ByWhom",
    "Exchange",
    "Key",
    "Keyboard",
    "LastBy",
    "Offer",
    "Offers",
    "board_of",
    "keyboard_of",
    "offers_in",
    "turned_up",
    "vocabulary",
]
