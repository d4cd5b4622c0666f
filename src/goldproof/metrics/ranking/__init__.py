"""Metrics over one ranking and graded judgments, one metric one file."""
