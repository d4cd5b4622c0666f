"""From documents alone to a benchmark: draft questions, mine which documents answer them, and score bm25 on them.

The model here is scripted, so that this runs without a key; with a real one write model="google:gemini-3-pro-preview"
and judge="llm:google:gemini-3-pro-preview".

Run: python examples/draft_questions.py
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import goldproof
from goldproof.judge import LlmJudge
from goldproof.llm import open_model
from goldproof.testing import Author

documents = goldproof.open_corpus(Path(goldproof.__file__).parent / "data" / "mine" / "example" / "larder")
drafted = goldproof.draft_questions(documents, model=Author(), n=10)
print(drafted)

with TemporaryDirectory() as folder:
    asked = drafted.save(Path(folder) / "asked")
    mined = goldproof.mine(
        asked / "questions.jsonl", corpus=documents, judge=LlmJudge([open_model(Author())]), kernels=True
    )
    mined.save(Path(folder) / "mined")
    print(goldproof.evaluate(Path(folder) / "mined" / "beir", retrievers={"bm25": "bm25"}, metrics="nDCG@10, R@10"))
