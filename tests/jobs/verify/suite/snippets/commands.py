"""Commands that the click questions are about."""

# --8<-- [start:bare_group]
import click
from click.testing import CliRunner


@click.group()
def cli():
    """Manage the shop."""


@cli.command()
def stock():
    click.echo("full")


print(CliRunner().invoke(cli, []).exit_code)
# --8<-- [end:bare_group]

# --8<-- [start:command_name]
import click


@click.command()
def init_data_command():
    """Create the tables."""


print(init_data_command.name)
# --8<-- [end:command_name]

# --8<-- [start:not_a_number]
import click

click.INT.convert("twelve", None, None)
# --8<-- [end:not_a_number]

# --8<-- [start:choice]
import click

colours = click.Choice(["Red", "Blue"], case_sensitive=False)
print(colours.convert("red", None, None))
# --8<-- [end:choice]

# --8<-- [start:clamp]
import click

percent = click.IntRange(0, 100, clamp=True)
percent.convert("250", None, None)
# --8<-- [end:clamp]

# --8<-- [start:enum_choice]
import enum

import click


class Size(enum.Enum):
    SMALL = "s"
    LARGE = "l"


print(click.Choice(Size).convert("SMALL", None, None).name)
# --8<-- [end:enum_choice]

# --8<-- [start:context]
import click

context = click.get_current_context()
print(context.info_name)
# --8<-- [end:context]
