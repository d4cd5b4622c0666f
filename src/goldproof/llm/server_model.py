"""Any server that speaks OpenAI's chat completions, by its address: `http://host:port/v1#model=NAME`.

A key, where the server wants one, comes from the environment (`GOLDPROOF_MODEL_KEY`) and nowhere else: an address that
holds a name, a password or a query is refused, since addresses reach cards and messages. What a call costs is known
only to whoever runs the server (`--price IN,OUT`; `--price 0,0` for one's own).
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from goldproof.core.errors import InputError

if TYPE_CHECKING:
    from pydantic_ai.models import Model

KEY_NAME = "GOLDPROOF_MODEL_KEY"
_NO_KEY = "no-key"  # the client wants something; servers without keys ignore it
# Of OpenAI's own models some know only the newer name of the limit of tokens; most other servers only the older.
_KNOW_NEW_NAME = (".openai.com", ".azure.com")
_NO_NAME = re.compile(r"#|,\s*\w+=")  # an option of a judge that the judge does not know, and so left to the model
_EXPECTED = "expected http://HOST:PORT/v1#model=NAME"


@dataclass(frozen=True, slots=True)
class Server:
    """Where a model is, and what the server calls it."""

    url: str
    model: str

    @property
    def key(self) -> str:
        """The address as it was given."""
        return f"{self.url}#model={self.model}"


def is_address(spec: str) -> bool:
    """Return whether a spec is an address."""
    return spec.lower().startswith(("http://", "https://"))


def parse_server(spec: str) -> Server:
    """Read an address; the message of an error does not repeat what may be a secret."""
    try:
        address = urlsplit(spec)
        has_host = bool(address.hostname) and address.port != 0  # reading the port checks it
    except ValueError:
        has_host, address = False, urlsplit("")
    if not has_host:
        raise InputError(f"the address of the model has no host, or a wrong port; {_EXPECTED}.")
    if "@" in address.netloc or address.query:
        raise InputError(
            f"the address of the model at {address.hostname} holds a name, a password or a query; {_EXPECTED}, and the "
            f"key in the environment as {KEY_NAME}."
        )
    name, _, model = address.fragment.partition("=")
    if name != "model" or not model:
        raise InputError(f"{spec!r} does not say which model of the server; {_EXPECTED}.")
    if _NO_NAME.search(model):
        raise InputError(f"{spec!r}: {model!r} is no name of a model but holds an option or a second '#'; {_EXPECTED}.")
    return Server(f"{address.scheme}://{address.netloc}{address.path.rstrip('/')}", model)


def make_server_model(server: Server) -> Model:
    """Return the model of pydantic-ai that asks the server."""
    from pydantic_ai.profiles.openai import OpenAIModelProfile  # noqa: PLC0415 - it takes more than a second
    from pydantic_ai.providers.openai import OpenAIProvider  # noqa: PLC0415

    from goldproof.llm.compatible_chat import CompatibleChat  # noqa: PLC0415

    key = os.environ.get(KEY_NAME, "").strip() or _NO_KEY
    is_openai = (urlsplit(server.url).hostname or "").endswith(_KNOW_NEW_NAME)
    profile = OpenAIModelProfile(openai_chat_supports_max_completion_tokens=is_openai)
    return CompatibleChat(server.model, provider=OpenAIProvider(base_url=server.url, api_key=key), profile=profile)
