"""Libraries that questions are about: environments, one version each, and the names in them."""

from goldproof.corpus.libraries.library import Library
from goldproof.corpus.libraries.name_index import KnownName, NameIndex
from goldproof.corpus.libraries.names import open_names
from goldproof.corpus.libraries.opening import open_library

__all__ = ["KnownName", "Library", "NameIndex", "open_library", "open_names"]
