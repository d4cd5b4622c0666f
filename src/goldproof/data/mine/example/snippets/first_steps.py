from larder import open_pantry
from larder.codecs import PickleCodec
from larder.rotation import LeastUsed

# --8<-- [start:put]
with open_pantry("kitchen") as pantry:
    sauces = pantry.shelf("sauces")
    sauces.put("pesto", {"jars": 2})
# --8<-- [end:put]

# --8<-- [start:pickle]
codec = PickleCodec()
# --8<-- [end:pickle]

# --8<-- [start:uses]
policy = LeastUsed()
# --8<-- [end:uses]
