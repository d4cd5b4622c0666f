"""A question as the rules read it: lower case, single blanks, straight apostrophes, its first `READ` characters.

Some datasets put whole issues or mails where the question should be. What is asked shows early, and patterns that look
for one word behind another must not walk through pages.
"""

from __future__ import annotations

READ = 1000


def plain(question: str) -> str:
    """Return a question as the rules read it."""
    return " ".join(question[:READ].casefold().replace("\u2019", "'").split())
