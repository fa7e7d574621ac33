"""The page Neighborhoods: curves, figures and words."""
