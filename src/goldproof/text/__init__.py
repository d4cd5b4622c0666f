"""Text as Goldproof compares it: normal forms and near-duplicates."""

from goldproof.text.near_duplicates import band_hashes, check_near_duplicates_installed, jaccard, shingles
from goldproof.text.normal_form import normal_text, normal_texts, stripped_texts

__all__ = [
    "band_hashes",
    "check_near_duplicates_installed",
    "jaccard",
    "normal_text",
    "normal_texts",
    "shingles",
    "stripped_texts",
]
