"""The built-in stages of a pipeline, and their parts."""
