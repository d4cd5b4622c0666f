"""Metrics over the set of the first k documents: against kernels, and against nothing at all."""
