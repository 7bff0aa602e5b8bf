"""Who may do what: tokens, table codes, sessions of signed-in browsers, and how often somebody may guess. No HTTP."""
