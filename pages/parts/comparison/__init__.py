"""Side A, pinned, and side B, on the screen."""
