"""What a recorder sees on a phone: the table, whose act is awaited, the card keyboard, and the end of a deal."""
