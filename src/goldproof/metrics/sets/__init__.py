"""Metrics over the set of the first k documents: against kernels, or for unanswerable questions."""
