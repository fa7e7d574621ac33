"""The page Data: a file of one's own, and the datasets that are known."""
