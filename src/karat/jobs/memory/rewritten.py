"""Matching what a memory system rewrote: a judge reads a returned text and a stored memory side by side.

The default judge is the similarity of embeddings (`similarity:minilm`, yes above 0.6), where the extra `dense` is
installed, else the overlap of keywords; any judge of Karat's can be named. Each candidate is judged alone. Of those
with a yes the one of the highest score counts (grade, else score, else shared words): a returned "lives in Bergen" must
not stand for the older memory "lives in Oslo" because both were near enough. Candidates are the memories that the
item's id came from, or, where the id tells nothing, the expected ones and the five of the pool that share most words.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from karat.core.records import Document, Question
from karat.judge.at_once import Brief, judge_briefs
from karat.text.words import content_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from karat.io.scenarios.scenario import MemoryItem
    from karat.jobs.memory.matching import Doubtful
    from karat.judge import Judge, Ruling

SIMILARITY = "similarity#least=0.6"
KEYWORDS = "keyword#least=0.5"
NEAREST = 5


class TextMatcher:
    """Matches texts by a judge, which is opened when first needed.

    spec: the judge. failures: rulings that came to nothing, by reason.
    """

    def __init__(self, spec: object = None) -> None:
        self._spec = _default_spec() if spec is None else spec
        self._judge: Judge | None = None
        self.failures: dict[str, int] = {}

    @property
    def judge_name(self) -> str:
        """Who judges, for the card."""
        return self._spec if isinstance(self._spec, str) else self._opened().key

    def near(
        self, text: str, pool: Sequence[MemoryItem], *, always: Sequence[MemoryItem] = ()
    ) -> tuple[MemoryItem, ...]:
        """Return the memories that a text may stand for: those of `always`, and the nearest by shared words."""
        wanted = frozenset(content_words(text))
        shared = {memory.id: len(wanted.intersection(content_words(memory.content))) for memory in pool}
        nearest = sorted((memory for memory in pool if shared[memory.id]), key=lambda m: -shared[m.id])[:NEAREST]
        kept = {memory.id: memory for memory in (*always, *nearest)}
        return tuple(kept.values())

    def match(self, items: Sequence[Doubtful]) -> list[tuple[str, ...]]:
        """Return, for each item, the memory it stands for; none where the judge says yes to none."""
        briefs = [self._brief(item, memory) for item in items for memory in item.candidates]
        rulings = iter(judge_briefs(self._opened(), briefs) if briefs else [])
        return [self._chosen(item, [next(rulings) for _ in item.candidates]) for item in items]

    def _brief(self, item: Doubtful, memory: MemoryItem) -> Brief:
        # A model is asked whether the text says it; a score of two texts is taken of the texts themselves.
        is_model = self._opened().key.startswith("llm")
        asked = f"Is the following stated here? {memory.content}" if is_model else memory.content
        return Brief(Question(memory.id, asked), (Document(item.hit.doc_id, item.hit.text or ""),))

    def _chosen(self, item: Doubtful, rulings: Sequence[Ruling]) -> tuple[str, ...]:
        best: tuple[tuple[float, float, int], str] | None = None
        words = frozenset(content_words(item.hit.text or ""))
        for memory, ruling in zip(item.candidates, rulings, strict=True):
            if ruling.label in ("failed", "abstained"):
                self.failures[ruling.reason] = self.failures.get(ruling.reason, 0) + 1
            if not ruling.sufficient:
                continue
            weight = (
                float(ruling.grade or 0),
                ruling.score or 0.0,
                len(words.intersection(content_words(memory.content))),
            )
            if best is None or weight > best[0]:
                best = (weight, memory.id)
        return () if best is None else (best[1],)

    def _opened(self) -> Judge:
        if self._judge is None:
            from karat.judge.opening import open_judge  # noqa: PLC0415 - judges are loaded where one is needed

            self._judge = open_judge(self._spec)
        return self._judge


def _default_spec() -> str:
    return SIMILARITY if find_spec("onnxruntime") is not None and find_spec("tokenizers") is not None else KEYWORDS
