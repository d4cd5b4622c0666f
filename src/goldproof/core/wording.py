"""How failures of code that is not ours are put into words: one line, of bounded length, without secrets."""

from __future__ import annotations

from goldproof.core.blotting import without_secrets

LONGEST = 300


def reason_of(error: BaseException) -> str:
    """Return `TypeName: message`, as the reason of a failed query."""
    # Blotted before it is cut: half a key is a secret too.
    said = str(error).encode("utf-8", "backslashreplace").decode()  # half a surrogate pair can be written nowhere
    message = shortened(" ".join(without_secrets(said).split()), longest=LONGEST)
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def shown(value: object, *, longest: int = 60) -> str:
    """Return how a value looks in a message: its `repr`, cut."""
    return shortened(without_secrets(repr(value)), longest=longest)


def kind_of(value: object) -> str:
    """Return what a value is, with its article: `a float`, `an int`, `None`."""
    if value is None:
        return "None"
    name = type(value).__name__
    return f"{'an' if name[:1].lower() in 'aeio' else 'a'} {name}"


def shortened(text: str, *, longest: int) -> str:
    """Return the text, cut where it is too long."""
    return text if len(text) <= longest else f"{text[: longest - 3]}..."


def joined(*sentences: str) -> str:
    """Return the sentences one after the other, empty ones left out."""
    return " ".join(filter(None, sentences))
