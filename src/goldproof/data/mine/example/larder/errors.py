"""Everything that is raised on purpose. All of it derives from one class, so that a caller can catch the lot."""


class LarderError(Exception):
    """The root of the tree. Its `hint` says in one sentence what the caller may do about it."""

    hint = ""


class PantryBusyError(LarderError):
    """Another program holds the folder. Nothing was read or written; trying again later is safe."""

    hint = "Close the other program, or open the folder read-only."


class KeyTooLongError(LarderError, ValueError):
    """A name under which something was to be stored takes up more than 200 bytes in UTF-8."""


class SpoiledError(LarderError, KeyError):
    """An entry was asked for strictly and is past its time. The stale content hangs on the attribute `remains`."""


class UnknownCodecError(LarderError):
    """A file begins with a mark that no registered codec answers to; a plug-in is probably missing."""
