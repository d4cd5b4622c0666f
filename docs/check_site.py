"""Checks the built site: every link and anchor leads somewhere, and no page loads anything from elsewhere.

python -m docs.check_site site
"""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_LOADS = {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src"), ("source", "src")}
_IN_STYLE = re.compile(r"""(?:@import\s+|url\(\s*)["']?((?:https?:)?//[^"')\s]+)""")


class Page(HTMLParser):
    """The ids, links and loaded addresses of one page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = _IN_STYLE.findall(text)
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag names, links to or loads."""
        for name, value in attrs:
            if value and name == "id":
                self.ids.add(value)
            elif value and (tag, name) in _LOADS:
                self.loads.append(value)
            elif value and tag == "a" and name == "href":
                self.links.append(value)


def problems(site: Path) -> list[str]:
    """Return a sentence for each dead link and each address that is loaded from elsewhere."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    found = list[str]()
    for path, page in pages.items():
        name = path.relative_to(site)
        found += [f"{name} loads {address}" for address in page.loads if _external(address)]
        for link in (*page.links, *page.loads):
            if not _external(link) and (why := _dead(link, path, pages)):
                found.append(f"{name}: {link} {why}")
    for style in site.rglob("*.css"):
        found += [f"{style.relative_to(site)} loads {a}" for a in _IN_STYLE.findall(style.read_text(encoding="utf-8"))]
    return found


def _external(address: str) -> bool:
    return bool(urlsplit(address).netloc)


def _dead(link: str, path: Path, pages: dict[Path, Page]) -> str | None:
    parts = urlsplit(link)
    if parts.scheme:  # mailto:, data:
        return None
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not target.exists():
        return "leads to no file"
    wanted = unquote(parts.fragment)
    if wanted and target in pages and wanted not in pages[target].ids:
        return "has no such anchor"
    return None


def main() -> int:
    """Print the problems; exit code 1 if there are any."""
    site = Path(sys.argv[1]).resolve()
    found = problems(site)
    for problem in found:
        print(problem)  # noqa: T201
    print(f"{len(list(site.rglob('*.html')))} pages in {sys.argv[1]}/, {len(found)} problems.")  # noqa: T201
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
