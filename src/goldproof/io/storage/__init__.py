"""Files kept between runs: cards, output folders, the cache folder, keyed stores."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.io.storage.keyed_store import KeyedStore
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "keyed_store": ("KeyedStore",),
        },
    )

__all__ = ["KeyedStore"]
