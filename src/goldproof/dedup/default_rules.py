"""The rules that hold unless a configuration says otherwise."""

from __future__ import annotations

from types import MappingProxyType

from goldproof.dedup.rules import Rules, TypeRules

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
