from tabulate import tabulate

rows = [["pen", 1.5], ["ink", 12.25]]


def prices():
    return tabulate(rows, floatfmt=".2f", tablefmt="plain")
