"""The command line: parse, call one public function, render; one module per command.

Commands do without `from __future__ import annotations`: typer would evaluate the text of every option four times, a
quarter of what `goldproof --help` takes.
"""
