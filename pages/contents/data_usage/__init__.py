"""The page Data usage: counts, figures, rules for tau, and words."""
