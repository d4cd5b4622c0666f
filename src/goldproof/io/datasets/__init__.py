"""Judgments, runs, datasets, questions, scores and labels: files that hold a benchmark or its results."""
