"""The page Popularity bias: all items, single items, and the users' own taste."""
