"""The page The paper: its tables beside what is measured here, and ranking over k."""
