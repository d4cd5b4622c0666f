"""Documents by their age."""
