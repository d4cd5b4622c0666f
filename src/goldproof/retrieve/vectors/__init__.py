"""Finding documents by their vectors."""
