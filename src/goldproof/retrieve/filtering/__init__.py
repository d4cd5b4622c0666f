"""Leaving documents out: by metadata, by score, by number."""
