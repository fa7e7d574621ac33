"""The page Privacy lab: the coins, the adversary, what epsilon means, the audit."""
