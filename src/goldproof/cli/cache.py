"""`goldproof cache`: where caches live, how large they are, and how to be rid of them."""

from typing import Annotated

import typer

app = typer.Typer(
    help="Show where caches live and how large they are, or clear them.", rich_markup_mode=None, no_args_is_help=True
)


@app.command()
def path() -> None:
    """Print the cache folder (GOLDPROOF_HOME)."""
    from goldproof.io.storage.home import goldproof_home

    typer.echo(goldproof_home())


@app.command()
def size() -> None:
    """Print how many bytes the caches take."""
    from goldproof.io.storage.home import home_size

    typer.echo(f"{home_size():,} bytes")


@app.command()
def clear(*, yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False) -> None:
    """Delete all caches; answers that were paid for must then be paid again."""
    from goldproof.io.storage.home import clear_home, goldproof_home, home_size

    if not yes and home_size():
        typer.confirm(f"Delete {home_size():,} bytes in {goldproof_home()}?", abort=True)
    typer.echo(f"{clear_home():,} bytes freed")
