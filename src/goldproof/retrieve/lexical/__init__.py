"""Finding documents by their words."""
