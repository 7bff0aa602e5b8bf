"""What people read: layout and sentences for the terminal, for pages and for files. It decides nothing."""
