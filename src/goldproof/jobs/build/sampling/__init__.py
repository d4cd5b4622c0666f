"""Filling quotas from a pool."""
