"""Access control without HTTP: tokens, table codes, sessions of signed-in browsers, and rate limits for sign-in."""
