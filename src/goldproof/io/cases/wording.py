"""The text of a question that is asked about code: the words, a blank line, the code in a fence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.text.code_blocks import code_context
from goldproof.text.languages import TEXT, language_of_file

if TYPE_CHECKING:
    from goldproof.io.cases.case import CodeFile


def with_code(words: str, code: CodeFile | None) -> str:
    """Return the words, and the code below them where there is some."""
    if code is None:
        return words
    return f"{words}\n\n{code_context(code.text, language=language_of_file(code.path) or TEXT).text}"
