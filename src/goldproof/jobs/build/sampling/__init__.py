"""Sampling: fill the quotas of a recipe from the pool."""
