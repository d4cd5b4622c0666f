"""Putting several rankings together."""
