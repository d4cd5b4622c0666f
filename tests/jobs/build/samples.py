"""Samples to write and read: a few by hand, and any by hypothesis."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from goldproof.jobs.build.records import Evidence, Sample
from goldproof.records.entities import Document

if TYPE_CHECKING:
    from pathlib import Path

PLAIN = Sample(
    id="tatqa:a1",
    question="What was revenue in 2019?",
    ground_truth="12.5",
    contexts=("| Year | Revenue |\n| 2019 | 12.5 |",),
    context_ids=("tatqa:t1",),
    doc_type="table",
    question_type="numeric",
    difficulty="D1",
    source_dataset="tatqa",
    original_id="a1",
    gold_documents=("tatqa:t1",),
    kernels=(("tatqa:t1",),),
    evidence=(Evidence("tatqa:t1", 30, 34),),
    metadata={"table_rows": 2, "company": "Acme"},
)
HOPPED = Sample(
    id="hotpotqa:b2",
    question="Which river flows past the birthplace of Ada Green?",
    ground_truth="the Tamble",
    contexts=("Ada Green was born in Orle.", "Orle lies on the Tamble.", "Nothing to see."),
    context_ids=("hotpotqa:p1", "hotpotqa:p2", "hotpotqa:p3"),
    doc_type="clean_text",
    question_type="multihop",
    difficulty="D2",
    source_dataset="hotpotqa",
    original_id="b2",
    gold_documents=("hotpotqa:p1", "hotpotqa:p2"),
    kernels=(("hotpotqa:p1", "hotpotqa:p2"),),
)
UNANSWERABLE = Sample(
    id="hotpotqa:b2~entity_swap",
    question="Which river flows past the birthplace of Bo Brown?",
    ground_truth="",
    contexts=HOPPED.contexts,
    context_ids=HOPPED.context_ids,
    doc_type="clean_text",
    question_type="multihop",
    difficulty="D3",
    source_dataset="hotpotqa",
    original_id="b2",
    answerable=False,
    metadata={"unanswerable_method": "entity_swap", "original_question": HOPPED.question},
)
THREE = (PLAIN, HOPPED, UNANSWERABLE)


def many(count: int, *, prefix: str = "s") -> list[Sample]:
    """Return samples with ids and questions of their own, all about one document each."""
    return [
        replace(
            PLAIN,
            id=f"{prefix}:{i}",
            original_id=f"{i}",
            question=f"How many {prefix}{i} units did plant {prefix}{i} of division {prefix}{7 * i} report?",
            context_ids=(f"{prefix}:d{i}",),
            gold_documents=(f"{prefix}:d{i}",),
            kernels=((f"{prefix}:d{i}",),),
            evidence=(),
        )
        for i in range(count)
    ]


def documents_of(*samples: Sample) -> list[Document]:
    """Return the documents that the contexts of samples are."""
    pairs = {name: text for s in samples for name, text in zip(s.context_ids, s.contexts, strict=True)}
    return [Document(name, text) for name, text in pairs.items()]


def write_lines(path: Path, *lines: bytes | str) -> Path:
    """Write a file of these lines; a line feed is added where there is none."""
    path.write_bytes(
        b"".join((line if isinstance(line, bytes) else line.encode()).rstrip(b"\n") + b"\n" for line in lines)
    )
    return path


text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
filled = text.filter(lambda value: bool(value.strip()))
ids = st.text(st.characters(codec="ascii", exclude_categories=["Cc", "Zs"]), min_size=1, max_size=8)
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=6,
)
metadata = st.dictionaries(text, json_values, max_size=4)


@st.composite
def samples(draw: st.DrawFn) -> Sample:
    """Return any sample that makes sense."""
    names = draw(st.lists(ids, unique=True, max_size=4))
    answerable = draw(st.booleans()) and bool(names)
    gold = tuple(draw(st.lists(st.sampled_from(names), unique=True, min_size=1))) if answerable else ()
    spans = st.builds(
        lambda name, start, size: Evidence(name, start, start + size),
        st.sampled_from(gold or ("x",)),
        st.integers(0, 9),
        st.integers(0, 9),
    )
    return Sample(
        id=draw(ids),
        question=draw(filled),
        ground_truth=draw(text),
        contexts=tuple(draw(text) for _ in names),
        context_ids=tuple(names),
        doc_type=draw(filled),
        question_type=draw(filled),
        difficulty=draw(filled),
        source_dataset=draw(filled),
        original_id=draw(text),
        answerable=answerable,
        gold_documents=gold,
        kernels=(gold,) if gold else (),
        evidence=tuple(draw(st.lists(spans, max_size=2))) if gold else (),
        metadata=draw(metadata),
    )
