"""Figures on a page: colors, lines, lists in the margin, and what stands below them."""
