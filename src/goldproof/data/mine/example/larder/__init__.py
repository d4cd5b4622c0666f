"""Larder: a store for values that do not keep for ever.

A pantry is a folder with shelves in it, a shelf holds entries by key, and an entry spoils after a while. Begin with
`open_pantry`; everything else hangs off the object that it returns.
"""

from larder.pantry import Pantry, open_pantry
from larder.shelf import Shelf

__all__ = ["Pantry", "Shelf", "open_pantry"]
