"""The page Overview: its figure and its words."""
