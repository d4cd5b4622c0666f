"""Versions that the packaging questions are about."""

# --8<-- [start:toast]
from packaging.version import parse

print(type(parse("french toast")).__name__)
# --8<-- [end:toast]

# --8<-- [start:order]
from packaging.version import Version

print(Version("1.0.dev1") < Version("1.0a1"))
# --8<-- [end:order]

# --8<-- [start:equal]
from packaging.requirements import Requirement

print(Requirement("attrs>=20") == Requirement("attrs>=20"))
# --8<-- [end:equal]

# --8<-- [start:extra]
from packaging.markers import Marker

print(Marker("extra == 'docs'").evaluate())
# --8<-- [end:extra]

# --8<-- [start:spelling]
from packaging.version import Version

print(Version("2.0-beta.1"))
# --8<-- [end:spelling]
