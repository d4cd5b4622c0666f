"""Libraries that questions are about: environments, one version each, and the names in them."""

from karat.corpus.libraries.library import Library
from karat.corpus.libraries.name_index import KnownName, NameIndex
from karat.corpus.libraries.names import open_names
from karat.corpus.libraries.opening import open_library

__all__ = ["KnownName", "Library", "NameIndex", "open_library", "open_names"]
