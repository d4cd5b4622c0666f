from tabulate import tabulate


def render(rows):
    return tabulate(rows, headers=["name", "age"], tablefmt="plain")
