"""Text as Goldproof compares it: normal forms and near-duplicates."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldproof.text.near_duplicates import (
        band_hashes,
        check_near_duplicates_installed,
        jaccard,
        normal_text,
        normal_texts,
        shingles,
        stripped_texts,
    )
else:
    from goldproof.plugins import lazy_exports

    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "near_duplicates": (
                "band_hashes",
                "check_near_duplicates_installed",
                "jaccard",
                "normal_text",
                "normal_texts",
                "shingles",
                "stripped_texts",
            ),
        },
    )

__all__ = [
    "band_hashes",
    "check_near_duplicates_installed",
    "jaccard",
    "normal_text",
    "normal_texts",
    "shingles",
    "stripped_texts",
]
