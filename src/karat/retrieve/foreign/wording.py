"""The old place of `karat.core.wording`, for `karat.retrieve.foreign.http` until it imports from there."""

from karat.core.wording import kind_of, reason_of, shown

__all__ = ["kind_of", "reason_of", "shown"]
