"""The page Learn: the tour and the glossary."""
