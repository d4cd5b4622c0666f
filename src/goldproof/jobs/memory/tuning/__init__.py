"""Tuning: the search for a better configuration of Goldproof's own memory, and one look at the hold-out."""
