"""Asking a pipeline many questions."""
