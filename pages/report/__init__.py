"""The report: one file with all numbers, figures and tables of a view."""
