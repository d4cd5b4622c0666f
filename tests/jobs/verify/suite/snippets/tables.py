"""Tables that the tabulate questions are about."""

# --8<-- [start:plain]
from tabulate import tabulate

print(tabulate([["Ada", 36], ["Bob", 7]], tablefmt="plain"))
# --8<-- [end:plain]

# --8<-- [start:unknown_format]
from tabulate import tabulate

tabulate([["pen", 1]], tablefmt="no_such_format")
# --8<-- [end:unknown_format]

# --8<-- [start:missing]
from tabulate import tabulate

print(tabulate([["pen", None]], tablefmt="tsv", missingval="n/a").split("\t")[1])
# --8<-- [end:missing]

# --8<-- [start:numbers]
from tabulate import tabulate

tabulate([1, 2, 3])
# --8<-- [end:numbers]

# --8<-- [start:separator]
from tabulate import SEPARATING_LINE, tabulate

print(len(tabulate([["pen"], SEPARATING_LINE, ["ink"]], tablefmt="simple").splitlines()))
# --8<-- [end:separator]
