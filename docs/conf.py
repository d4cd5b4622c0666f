"""Settings of Sphinx, which makes the site out of the Markdown pages: `make docs`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import goldproof

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "Goldproof"
version = release = goldproof.__version__
extensions = ["myst_parser"]
myst_heading_anchors = 4  # headings have the ids that a code host gives them
nitpicky = True
smartquotes = False  # two hyphens before an option stay two

html_theme = "furo"
html_title = "Goldproof"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False

_SECTION = re.compile(r"^## (?P<caption>.+)\n(?P<body>(?:(?!^## ).*\n?)*)", re.MULTILINE)
_PAGE = re.compile(r"\[(?P<title>[^\]]+)\]\((?P<page>[\w/-]+)\.md\)")


def add_navigation(app: Sphinx, docname: str, content: list[str]) -> None:  # noqa: ARG001 - Sphinx's signature
    """Make the navigation from the front page: each section with the pages it links to, in its order."""
    if docname != "index":
        return
    trees, listed = list[str](), set[str]()
    for section in _SECTION.finditer(content[0]):
        pages = {page: f"{title} <{page}>" for title, page in _PAGE.findall(section["body"]) if page not in listed}
        listed.update(pages)
        head = ["```{toctree}", ":hidden:", f":caption: {section['caption']}", ""]
        trees += ["\n".join([*head, *pages.values(), "```"])] if pages else []
    content[0] = "\n\n".join([content[0].rstrip(), *trees, ""])


def setup(app: Sphinx) -> None:
    """Connect the navigation."""
    app.connect("source-read", add_navigation)
