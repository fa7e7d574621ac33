"""The sidebar: what is chosen, tau, and the export."""
