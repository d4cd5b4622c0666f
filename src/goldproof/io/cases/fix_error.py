"""A file that fails and the file that does not: what must one know to get from the first to the second?

    - name: "01"
      description: "The agent is built without a model."
      unfixed_file: cases/01/unfixed.py
      fixed_file: cases/01/fixed.py
      test_file: cases/01/test_agent.py

The question is the description and the code that fails. It has no answer in words, and what the fixed file imports is
looked at elsewhere (`goldproof.jobs.mine.candidates`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.core.records import Question
from goldproof.io.cases.case import Case
from goldproof.io.cases.place import BuiltCase
from goldproof.io.cases.wording import with_code

if TYPE_CHECKING:
    from goldproof.io.cases.case import CodeFile
    from goldproof.io.cases.code_files import CodeFiles
    from goldproof.io.cases.fields import CaseFields
    from goldproof.io.cases.place import Place


def fix_error(fields: CaseFields, place: Place, *, files: CodeFiles) -> BuiltCase:
    """Return the case; the solution and the test may be absent, but not named in vain."""
    asked = fields.needed("description", "question")
    unfixed = files.read(fields.needed("unfixed_file"), folder=place.folder)
    case = Case(
        kind="fix_error",
        suite=place.suite,
        question=Question(id=place.id, text=with_code(asked, unfixed.code), metadata=place.metadata("fix_error")),
        where=place.where,
        asked=asked,
        explanation=fields.text("explanation", "rationale"),
        unfixed=unfixed.code,
        fixed=_named(fields.text("fixed_file"), place, files=files),
        test=_named(fields.text("test_file"), place, files=files),
    )
    return BuiltCase(case, unfixed.path)


def _named(written: str, place: Place, *, files: CodeFiles) -> CodeFile | None:
    return files.read(written, folder=place.folder).code if written else None
