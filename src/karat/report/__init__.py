"""Plain tables, written for terminals, markdown, LaTeX, CSV and HTML."""

from karat.report.render import STYLES, render
from karat.report.table import Heading, Table

__all__ = ["STYLES", "Heading", "Table", "render"]
