"""Libraries under test: environments with one installed version each, and an index of their names."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.corpus.libraries.library import Library
    from goldproof.corpus.libraries.name_index import KnownName, NameIndex
    from goldproof.corpus.libraries.names import open_names
    from goldproof.corpus.libraries.opening import open_library
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "library": ("Library",),
            "name_index": ("KnownName", "NameIndex"),
            "names": ("open_names",),
            "opening": ("open_library",),
        },
    )

__all__ = ["KnownName", "Library", "NameIndex", "open_library", "open_names"]
