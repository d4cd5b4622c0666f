"""Ordering the best documents anew by a model."""
