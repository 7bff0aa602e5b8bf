"""What writes into the checkout: schemas, reference pages, the man page, pictures of the architecture."""
