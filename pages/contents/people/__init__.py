"""The page People: one user, and all of them."""
