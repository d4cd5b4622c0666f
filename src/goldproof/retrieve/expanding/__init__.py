"""Adding words to queries."""
