"""The comparison of two results written down once more, plainly, from the page on deduplication.

It reads raw mappings and shares nothing with the package but the tables of its rules. Every value is a set of texts or
numbers, empty where there is none. Near-duplicates are left out.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from goldproof.dedup import Rules, TypeRules
    from tests.dedup.tables import Row

Values = dict[str, frozenset[object]]


def plain_decide(a: Row, b: Row, rules: Rules) -> tuple[bool, str]:
    type_a, type_b = type_of(a, rules), type_of(b, rules)
    name_a, name_b = type_name(a, type_a, rules), type_name(b, type_b, rules)
    shared = rules.generic if name_a and name_b and name_a != name_b else type_b if name_a is None else type_a
    exact_title = "title" in type_a.exact and "title" in type_b.exact
    x = values(a, name_a, shared, rules=rules, exact_title=exact_title)
    y = values(b, name_b, shared, rules=rules, exact_title=exact_title)
    if x == y:
        return True, "identical"
    for names in shared.ids:
        if all(x.get(name) and y.get(name) for name in names):
            return all(x[name] == y[name] for name in names), "specific id"
    if x["place"] and y["place"]:
        if x["place"] != y["place"]:
            return False, "url"
        if x["params"] == y["params"] and type_a.url_decides and type_b.url_decides:
            return True, "url"
    both = {name for name in x if x[name] and y.get(name)}
    equal = {name for name in both if x[name] == y[name]}
    if any(name in both - equal for name in shared.different_if):
        return False, "type rule"
    if any(set(names) <= equal for names in shared.same_if):
        return True, "type rule"
    return by_fields(x, both=both, equal=equal, shared=shared, rules=rules)


def by_fields(x: Values, *, both: set[str], equal: set[str], shared: TypeRules, rules: Rules) -> tuple[bool, str]:
    evidence = shared.evidence
    strengths = [set(evidence.strong), set(evidence.intermediate), set(evidence.weak)]
    differing = set.union(*strengths) & (both - equal)
    if "id" in equal and shared.snippet_varies:
        differing.discard("snippet")
    if differing:
        return False, "fields"
    counting = equal - {"snippet"} if len("".join(map(str, x["snippet"]))) <= rules.long_snippet else equal
    in_part = any(set(names) & both and set(names) & both <= equal for names in shared.ids)
    enough = evidence.with_id if "id" in equal or in_part else evidence.without_id
    needed = (enough.strong, enough.intermediate, enough.weak)
    if any(len(names & counting) >= number for names, number in zip(strengths, needed, strict=True)):
        return True, "fields"
    return (True, "trusted key") if "id" in equal else (False, "not enough")


def values(row: Row, type_name: str | None, shared: TypeRules, *, rules: Rules, exact_title: bool) -> Values:
    """Return what a result has, by the names of the rules."""
    fields = {bare(name): value for name, value in (row["fields"] or {}).items() if value is not None}
    found: Values = {}
    for name, aliases in rules.field_aliases.items():
        given = [one for one in dict.fromkeys(map(bare, (name, *aliases))) if one in fields]
        for place, one in enumerate(given):
            # What comes first in the rules counts; the others are fields of their own.
            found[name if place == 0 else f"other {one}"] = read(fields.pop(one), name, shared)
    known = {bare(name): name for names in (*shared.ids, *shared.same_if, shared.different_if) for name in names}
    found |= {known.get(name, name): read(value, known.get(name, name), shared) for name, value in fields.items()}
    title = row["title"] or next(iter(name for name in [(row["fields"] or {}).get("subject")] if name), "")
    return {
        **{name: value for name, value in found.items() if value and name != "title"},
        "subject": found.get("title", frozenset()),
        "id": single(row["id"] and row["id"].strip()),
        "place": single(row["url"] and url(row["url"], rules)[0]),
        "params": single(row["url"] and url(row["url"], rules)[1]),
        "title": single(title.strip() if exact_title else text(title)),
        "snippet": single(text(row["snippet"] or "")),
        "type": single(type_name),
    }


def read(value: object, name: str, shared: TypeRules) -> frozenset[object]:
    if isinstance(value, list):
        return frozenset[object]().union(*(read(one, name, shared) for one in value))
    if name in shared.times and (moment := instant(value)):
        return single(moment)
    if isinstance(value, int | float):
        return single(f"{value:g}")
    if name in shared.addresses:
        written = str(value["address"] if isinstance(value, dict) else value)
        return frozenset(re.findall(r"[a-z.]+@[a-z.]+", written.lower())) or single(text(written))
    if isinstance(value, dict):
        return single(tuple(sorted((key, text(part)) for key, part in value.items())))
    is_exact = name in shared.exact or any(name in names for names in shared.ids)
    return single(str(value).strip() if is_exact and name not in shared.times else text(str(value)))


def instant(value: object) -> float | None:
    if isinstance(value, str):
        return datetime.fromisoformat(value).timestamp() if re.search(r"(Z|[+-]\d\d:\d\d)$", value) else None
    if isinstance(value, int | float):
        return value / 1000 if value > 10**11 else value
    return None


def url(given: str, rules: Rules) -> tuple[str, tuple[str, ...]]:
    head = re.split("[/?#]", given)[0]
    if not re.match(r"(https?:)?//", given, re.IGNORECASE) and not re.fullmatch(r"[\w-]+(\.[\w-]+)+(:\d+)?", head):
        return given, ()
    parts = urlsplit("//" + re.sub(r"^(https?:)?//", "", given, flags=re.IGNORECASE))
    host = re.sub(r"^www\.|:(80|443)$", "", parts.netloc.lower())
    route = f"#{parts.fragment}" if parts.fragment[:1] in {"/", "!"} else ""
    kept = [part for part in parts.query.split("&") if part and not harmless(part.split("=")[0], rules)]
    return host + unquote(parts.path).rstrip("/") + route, tuple(sorted(kept))


def harmless(name: str, rules: Rules) -> bool:
    return any(fnmatchcase(name.lower(), pattern) for pattern in rules.harmless_parameters)


def text(given: str) -> str:
    plain = re.sub(r"</?(b|em|strong|mark)>", "", unicodedata.normalize("NFKC", given).lower())
    return " ".join(plain.split())


def single(value: object) -> frozenset[object]:
    return frozenset([value]) if value else frozenset()


def bare(name: str) -> str:
    return re.sub("[-_ ]", "", name.lower())


def type_of(row: Row, rules: Rules) -> TypeRules:
    matching = [one for one in rules.types if bare(row["type"] or "") in map(bare, (one.name, *one.aliases))]
    return matching[0] if matching else rules.generic


def type_name(row: Row, own: TypeRules, rules: Rules) -> str | None:
    return own.name if own is not rules.generic else text(row["type"] or "") or None
