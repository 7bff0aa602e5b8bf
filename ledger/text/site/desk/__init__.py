"""Pages of a director: the desk, the case of a dispute, rulings and corrections of entries."""
