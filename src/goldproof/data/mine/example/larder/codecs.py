"""Turning values into bytes and back. Every file begins with the four-letter mark of the codec that wrote it."""

from dataclasses import dataclass


class JsonCodec:
    """The default. Tuples come back as lists, and a set is refused rather than silently turned into something else."""

    mark = b"JSON"


@dataclass
class PickleCodec:
    """Any Python object. Since reading a pickle can run code, it is refused unless `trusted` is set to True."""

    mark = b"PICK"

    trusted: bool = False


@dataclass
class ZipCodec:
    """Wraps another codec and squeezes what it produces with zlib, but only from 4 kB on: below, it would not pay."""

    mark = b"ZLIB"

    inner: object


def register(codec: object) -> None:
    """Make a codec of one's own known by its mark. Registering a mark twice is an error."""
