"""Chat completions of servers that are only nearly OpenAI-compatible: answers that pydantic-ai would reject.

    status 200, and the body is an error     the error, in the server's words
    no choices                               said so
    impossible counts of tokens              left out, so that they are estimated; the answer is good

Importing this takes more than a second: it loads pydantic-ai.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pydantic_ai.exceptions import ModelAPIError, UnexpectedModelBehavior
from pydantic_ai.models.openai import OpenAIChatModel

from goldproof.llm.model import sane_tokens

if TYPE_CHECKING:
    from openai.types import CompletionUsage
    from openai.types.chat import ChatCompletion


class ErrorBodyError(ModelAPIError):
    """Status 200 with an error in the body; status_code: as the error says, else 500."""

    def __init__(self, model_name: str, message: str, *, status_code: int) -> None:
        super().__init__(model_name, message)
        self.status_code = status_code


class CompatibleChat(OpenAIChatModel):
    """Chat completions, read with more tolerance."""

    def _validate_completion(self, response: ChatCompletion) -> Any:  # noqa: ANN401 - a type of pydantic-ai's own
        if not response.choices:
            self._raise_error((response.model_extra or {}).get("error"))
        response.usage = _sane(response.usage)
        return super()._validate_completion(response)

    def _raise_error(self, error: object) -> None:
        """Raise the error of an answer without choices."""
        if not error:
            raise UnexpectedModelBehavior("the server's answer holds no choices")
        fields = error if isinstance(error, dict) else {"message": error}
        code = str(fields.get("code", ""))
        status = int(code) if re.fullmatch("[1-5][0-9][0-9]", code) else 500
        message = f"the server answered with an error: {fields.get('message') or error}"
        raise ErrorBodyError(self.model_name, message, status_code=status)


def _sane(usage: CompletionUsage | None) -> CompletionUsage | None:
    """Return the usage; None where its counts are impossible."""
    read, written = (getattr(usage, name, None) for name in ("prompt_tokens", "completion_tokens"))
    if usage is None or not all(tokens == 0 or sane_tokens(tokens) for tokens in (read, written)):
        return None
    usage.total_tokens = usage.prompt_tokens + usage.completion_tokens  # some leave it out
    return usage
