"""Recomputing a benchmark from its files."""
