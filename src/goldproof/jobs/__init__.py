"""The jobs: each a path through records, tables, metrics and study. None imports another."""
