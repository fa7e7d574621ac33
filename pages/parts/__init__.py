"""What the pages share: frame, address, controls, runs, results, wording and figures."""
