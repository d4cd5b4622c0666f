"""Rules for telling results apart, per type of result, and the default rules.

A name in the rules is a field of the result, or one of its columns (`id`, `url`, `title`, `snippet`, `type`). Case,
blanks, hyphens and underscores of a name do not matter (`messageId` and `Message-ID` are `message_id`), nor does which
alias of a field is used. Rules are frozen; start from `DEFAULT_RULES`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from goldproof.errors import InputError
from goldproof.records.traces import RESULT_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


Names = tuple[str, ...]

_NO_ALIASES: Mapping[str, Names] = MappingProxyType({})

_EXACT_COLUMNS = ("id", "title")

_FOLDING = str.maketrans("", "", "_- ")


def fold(name: str) -> str:
    """Return a name in lower case, without blanks, hyphens and underscores."""
    return name.lower().translate(_FOLDING)


@dataclass(frozen=True, slots=True)
class Enough:
    """How many agreeing fields of one strength make two results the same; classes are not mixed."""

    strong: int
    intermediate: int
    weak: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """Fields that are compared where both results have them, by the strength of their agreement.

    with_id: what suffices where ids agree in part. without_id: what suffices otherwise.
    """

    strong: Names = ("snippet",)
    intermediate: Names = ("title", "file_name")
    weak: Names = ("type", "author", "project")
    with_id: Enough = Enough(strong=1, intermediate=1, weak=2)
    without_id: Enough = Enough(strong=1, intermediate=2, weak=4)


@dataclass(frozen=True, slots=True)
class TypeRules:
    """The rules for one type of result.

    aliases: other names of the type. ids: alternatives of fields that together identify a result. url_decides: equal
    URLs are the same result (not where several results share a page). snippet_varies: the snippet depends on the query,
    so a different one says nothing where the ids are equal. same_if: sets of fields; if both have all of one set and
    they are equal, the results are the same. different_if: fields; if both have one and it differs, they are not.
    exact: fields in which case matters, as in ids, which need not be named; the title may be among them. times,
    addresses: fields whose values are compared as instants and as bare mail addresses.
    """

    name: str
    aliases: Names = ()
    ids: tuple[Names, ...] = ()
    url_decides: bool = True
    snippet_varies: bool = True
    same_if: tuple[Names, ...] = ()
    different_if: Names = ()
    exact: Names = ()
    times: Names = ()
    addresses: Names = ()
    evidence: Evidence = field(default_factory=Evidence)


@dataclass(frozen=True, slots=True)
class Rules:
    """All rules. Names of fields are replaced by those that `field_aliases` makes them stand for.

    generic: for results without a type, or of a type that is not listed; it has no ids. harmless_parameters: query
    parameters of URLs that say nothing about the document; `*` at the end stands for anything. long_snippet: an equal
    snippet counts if it has more characters. near_duplicates: the share of common word sequences from which snippets
    count as equal; None compares them exactly.
    """

    types: tuple[TypeRules, ...] = ()
    generic: TypeRules = field(default_factory=lambda: TypeRules("generic"))
    harmless_parameters: Names = ()
    field_aliases: Mapping[str, Names] = field(default_factory=lambda: _NO_ALIASES)
    long_snippet: int = 50
    near_duplicates: float | None = None

    def __post_init__(self) -> None:
        if self.generic.ids:
            raise InputError("the generic rules cannot have ids: a result of an unknown type has none of its own.")
        _check_type_names(self.types)
        names = canonical_names(self)
        object.__setattr__(self, "types", tuple(_with_names(rules, names) for rules in self.types))
        object.__setattr__(self, "generic", _with_names(self.generic, names))
        for rules in (*self.types, self.generic):
            _check_exact(rules)


def canonical_names(rules: Rules) -> dict[str, str]:
    """Return folded name -> the name that stands for it, for every name the rules know."""
    names = {fold(name): name for name in (*RESULT_COLUMNS, *rules.field_aliases)}
    for head, aliases in rules.field_aliases.items():
        for alias in aliases:
            if names.setdefault(fold(alias), head) != head:
                other = names[fold(alias)]
                raise InputError(f"the field {alias!r} cannot stand for both {other!r} and {head!r}; keep one of them.")
    for typed in (*rules.types, rules.generic):
        for name in _mentioned(typed):
            names.setdefault(fold(name), name)
    return names


def _check_type_names(types: Iterable[TypeRules]) -> None:
    owners: dict[str, str] = {}
    for typed in types:
        for name in (typed.name, *typed.aliases):
            if owners.setdefault(fold(name), typed.name) != typed.name:
                raise InputError(f"{name!r} names both the types {owners[fold(name)]!r} and {typed.name!r}; keep one.")


def _check_exact(rules: TypeRules) -> None:
    for name in rules.exact:
        if name in RESULT_COLUMNS and name not in _EXACT_COLUMNS:
            raise InputError(
                f"the type {rules.name!r} cannot have {name!r} compared exactly: of the columns, only the title can be."
            )


def _mentioned(rules: TypeRules) -> list[str]:
    evidence = rules.evidence
    sets = [*rules.ids, *rules.same_if, rules.different_if, rules.exact, rules.times, rules.addresses]
    return [name for names in (*sets, evidence.strong, evidence.intermediate, evidence.weak) for name in names]


def _with_names(rules: TypeRules, names: Mapping[str, str]) -> TypeRules:
    def known(some: Names) -> Names:
        return tuple(names[fold(name)] for name in some)

    evidence = rules.evidence
    return replace(
        rules,
        ids=tuple(known(some) for some in rules.ids),
        same_if=tuple(known(some) for some in rules.same_if),
        different_if=known(rules.different_if),
        exact=known(rules.exact),
        times=known(rules.times),
        addresses=known(rules.addresses),
        evidence=replace(
            evidence,
            strong=known(evidence.strong),
            intermediate=known(evidence.intermediate),
            weak=known(evidence.weak),
        ),
    )


WEB_PAGE = TypeRules("web page", aliases=("web", "page", "website", "web result", "html", "url", "link"))

FILE = TypeRules(
    "file",
    aliases=("drive item", "driveitem", "attachment", "pdf", "spreadsheet", "presentation"),
    ids=(("drive_id", "item_id"), ("file_id",)),
    same_if=(("repository", "path"), ("site", "path"), ("checksum", "path")),
    different_if=("path", "repository", "site", "checksum"),
    exact=("path", "repository"),
)

MAIL = TypeRules(
    "mail",
    aliases=("email", "e-mail", "mail message", "email message"),
    ids=(("message_id",),),
    same_if=(("sent", "sender"), ("sent", "recipients")),
    different_if=("sent", "sender", "recipients"),
    times=("sent",),
    addresses=("sender", "recipients"),
)

EVENT = TypeRules(
    "event",
    aliases=("calendar event", "calendar", "meeting", "appointment"),
    # One series has one ical_uid; its start tells which meeting it is.
    ids=(("event_id",), ("ical_uid", "start")),
    same_if=(("start", "end", "organiser"), ("start", "end", "invitees")),
    different_if=("start", "end", "organiser", "invitees"),
    times=("start", "end"),
    addresses=("organiser", "invitees"),
)

MESSAGE = TypeRules(
    "message",
    aliases=("chat", "chat message", "channel message", "post", "slack message", "teams message"),
    ids=(("channel", "message_id"),),
    same_if=(("sent", "sender", "channel"),),
    different_if=("sent", "sender", "channel"),
    times=("sent",),
    addresses=("sender",),
)

PERSON = TypeRules(
    "person",
    aliases=("people", "contact", "user", "profile", "employee"),
    ids=(("person_id",),),
    same_if=(("alias",), ("principal_name",), ("address",)),
    different_if=("alias", "principal_name", "address"),
    addresses=("principal_name", "address"),
)

CODE_SYMBOL = TypeRules(
    "code symbol",
    aliases=("symbol", "code", "function", "class", "method", "definition"),
    ids=(("symbol_id",),),
    url_decides=False,
    same_if=(("qualified_name", "path"), ("qualified_name", "repository")),
    different_if=("qualified_name", "path", "repository", "signature"),
    # `Queue` and `queue` are two symbols.
    exact=("title", "file_name", "qualified_name", "path", "repository", "signature"),
)

PASSAGE = TypeRules(
    "passage",
    aliases=("chunk", "paragraph", "section", "node"),
    ids=(("chunk_id",), ("document_id", "chunk_index")),
    url_decides=False,
    snippet_varies=False,
    different_if=("document_id", "chunk_index"),
)

FIELD_ALIASES = MappingProxyType(
    {
        "title": ("subject",),
        "file_name": ("filename", "file"),
        "path": ("file_path", "filepath"),
        "repository": ("repo", "repository_name"),
        "checksum": ("sha256", "sha1", "md5", "content_hash"),
        "author": ("authors", "created_by", "creator"),
        "project": ("project_name", "workspace"),
        "message_id": ("internet_message_id",),
        "sender": ("from", "from_address"),
        "recipients": ("to", "recipient", "to_recipients"),
        "sent": ("sent_at", "sent_time", "sent_date_time", "date"),
        "channel": ("channel_id", "chat_id", "room"),
        "start": ("start_time", "starts_at"),
        "end": ("end_time", "ends_at"),
        "organiser": ("organizer",),
        "invitees": ("attendees", "participants"),
        "principal_name": ("user_principal_name", "upn"),
        "address": ("email", "mail", "email_address"),
        "alias": ("user_name", "login", "handle"),
        "qualified_name": ("fqn", "full_name"),
        "document_id": ("doc_id", "parent_id"),
        "chunk_index": ("chunk", "chunk_number", "passage_index"),
    }
)

HARMLESS_PARAMETERS = (
    *("utm_*", "mtm_*", "pk_*", "piwik_*", "hsa_*", "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "gad_source"),
    *("fbclid", "msclkid", "yclid", "twclid", "ttclid", "igshid", "li_fat_id", "mc_cid", "mc_eid", "mkt_tok"),
    *("_ga", "_gl", "_hsenc", "_hsmi", "hsctatracking", "oly_anon_id", "oly_enc_id", "vero_id", "wickedid", "srsltid"),
    *("ref_src", "ref_url", "s_cid", "_openstat"),
)

DEFAULT_RULES = Rules(
    types=(WEB_PAGE, FILE, MAIL, EVENT, MESSAGE, PERSON, CODE_SYMBOL, PASSAGE),
    harmless_parameters=HARMLESS_PARAMETERS,
    field_aliases=FIELD_ALIASES,
)
