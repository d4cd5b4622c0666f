"""The judge that made the labels of a mined dataset, and what that means for runs compared on them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goldproof.judge import automated_score, judge_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from goldproof.judge.score_judges import AutomatedScore


@dataclass(frozen=True, slots=True)
class LabelSource:
    """The judge of the labels. score: what it measures, if it is an automated score. favoured: runs that rank by it."""

    judge: str
    score: AutomatedScore | None = None
    favoured: tuple[str, ...] = ()

    @property
    def remark(self) -> str:
        """A sentence on who made the labels; of an automated score also what it favours."""
        if self.score is None:
            return f"Labels come from the judge `{self.judge}`."
        runs = f", here {', '.join(self.favoured)}" if self.favoured else f" such as {self.score.stage}"
        return (
            f"Labels come from the judge `{self.judge}`, an automated score of {self.score.measures}: it favours "
            f"{self.score.favours}{runs}. Check it on labels of people (goldproof judge calibrate), or have people or "
            "a model label (goldproof mine --judge human:FILE, --judge llm:PROVIDER:MODEL)."
        )

    def qualified(self, conclusion: str) -> str:
        """Return a conclusion with the reason not to trust it, where the labels are an automated score."""
        if self.score is None:
            return conclusion
        favours = f" that favours {' and '.join(self.favoured)}" if self.favoured else ""
        return f"{conclusion.removesuffix('.')} (labels: {self.judge} judge, an automated score{favours})."


def label_source(key: str, pipelines: Mapping[str, str]) -> LabelSource:
    """Return what is known of the judge of a key. pipelines: the text of each retriever that was run, by name."""
    score = automated_score(key)
    if score is None:
        return LabelSource(judge_name(key))
    stage = re.compile(rf"\b{score.stage}\b")
    favoured = tuple(name for name, pipeline in pipelines.items() if stage.search(pipeline))
    return LabelSource(judge_name(key), score, favoured)
