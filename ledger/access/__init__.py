"""Who may do what: tokens, roles, codes and signed-in browsers. No HTTP in here."""
