"""Runs in the background: what they compute, in which order, and how far they are."""
