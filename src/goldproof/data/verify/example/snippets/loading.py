"""Code that the questions about PyYAML show."""

# --8<-- [start:no_loader]
import yaml

yaml.load("name: Ada")
# --8<-- [end:no_loader]

# --8<-- [start:tuple]
import yaml

yaml.safe_load("!!python/tuple [1, 2]")
# --8<-- [end:tuple]

# --8<-- [start:answer]
import yaml

print(yaml.safe_load("answer: no"))
# --8<-- [end:answer]
