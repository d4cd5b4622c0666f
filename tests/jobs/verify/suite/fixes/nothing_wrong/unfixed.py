from tabulate import tabulate


def render(rows):
    return tabulate(rows, tablefmt="no_such_format")
