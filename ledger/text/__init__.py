"""Texts for people: answers of commands as lines and tables, printed pages, pictures and the website."""
