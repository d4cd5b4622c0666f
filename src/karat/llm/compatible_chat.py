"""Chat completions of servers that are only nearly compatible: what pydantic-ai would reject without saying why.

    status 200, and the body is an error     the error, in the server's words
    no choices                               said so
    counts of tokens that cannot be          left out, so that they are estimated; the answer is good

Importing this takes more than a second: it loads pydantic-ai.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic_ai.exceptions import ModelAPIError, UnexpectedModelBehavior
from pydantic_ai.models.openai import OpenAIChatModel

from karat.llm.transport import sane_tokens

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletion

_COUNTS = ("prompt_tokens", "completion_tokens", "total_tokens")


class SaidError(ModelAPIError):
    """The server answered well, but with an error; status_code: as the error says, else 500."""

    def __init__(self, model_name: str, message: str, *, status_code: int) -> None:
        super().__init__(model_name, message)
        self.status_code = status_code


class CompatibleChat(OpenAIChatModel):
    """Chat completions, read with more patience."""

    def _validate_completion(self, response: ChatCompletion) -> Any:  # noqa: ANN401 - a type of pydantic-ai's own
        if not response.choices:
            self._complain((response.model_extra or {}).get("error"))
        if not _is_sane(response.usage):
            response.usage = None
        return super()._validate_completion(response)

    def _complain(self, error: object) -> None:
        """Raise what is wrong with an answer without choices."""
        if not error:
            raise UnexpectedModelBehavior("the server's answer holds no choices")
        fields = error if isinstance(error, dict) else {"message": error}
        code = fields.get("code", fields.get("status"))
        status = int(code) if str(code).isascii() and str(code).isdigit() and len(str(code)) == len("500") else 500
        message = f"the server answered with an error: {fields.get('message') or error}"
        raise SaidError(self.model_name, message, status_code=status)


def _is_sane(usage: object) -> bool:
    """Return whether all that is told of the tokens can be."""
    told = [getattr(usage, name, None) for name in _COUNTS]
    return all(one == 0 or sane_tokens(one) > 0 for one in told)
