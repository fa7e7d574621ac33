"""The page Trade-off: outcomes, and what no other setting beats."""
