from tabulate import tabulate


def render(rows):
    return tabulate(rows, headers="keys", tablefmt="plain")
