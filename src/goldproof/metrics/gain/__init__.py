"""Good-gain metrics over search iterations."""
