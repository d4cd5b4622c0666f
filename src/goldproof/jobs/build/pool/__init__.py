"""The pool of a build: classified samples and their documents, on disk."""
