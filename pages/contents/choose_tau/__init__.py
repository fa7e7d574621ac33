"""The page Choose tau: limits in, decision out."""
