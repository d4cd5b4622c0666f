"""A small pool of invented samples: reports of companies, passages about people and places, questions about code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldproof.jobs.build.records import Sample
from goldproof.jobs.build.unanswerables.substitutes import SubstitutesBuilder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldproof.jobs.build.unanswerables.substitutes import Substitutes

Titled = tuple[Sample, list[str]]


def sample(
    question: str,
    *,
    id: str = "pool:q",  # noqa: A002 - it is the id of a sample
    answer: str = "12",
    passages: Sequence[tuple[str, str]] = (),
    doc_type: str = "table",
    source: str = "pool",
    metadata: Mapping[str, object] | None = None,
) -> Sample:
    return Sample(
        id=id,
        question=question,
        ground_truth=answer,
        contexts=tuple(text for _, text in passages),
        context_ids=tuple(f"{id}#{n}" for n in range(len(passages))),
        doc_type=doc_type,
        question_type="lookup",
        difficulty="D1",
        source_dataset=source,
        original_id=id.removeprefix("pool:"),
        gold_documents=tuple(f"{id}#{n}" for n in range(min(1, len(passages)))),
        metadata=metadata or {},
    )


def report(
    question: str,
    *,
    company: str,
    id: str = "pool:r",  # noqa: A002 - it is the id of a sample
) -> Sample:
    text = "Revenue and net sales for 2018 and 2019."
    return sample(
        question,
        id=id,
        passages=[("", text)],
        metadata={"company_name": company, "company_sector": "Energy"},
    )


_COMPANIES = {
    "Northfield Power": "What was the net income of Northfield Power in 2019?",
    "harbor-light-energy-inc": "What was the revenue of Harbor Light Energy, Inc. in 2019?",
    "Quartz Oil": "What was the dividend of Quartz Oil in 2018?",
    "Bluebird Fuel": "What was the goodwill of Bluebird Fuel in 2018?",
    "silent-slug-corp": "What was the goodwill of silent-slug-corp in 2018?",
}
_PASSAGES = [
    ("Ada Green", "Ada Green (born 1950) is an American actress and singer."),
    ("Lena Frost", "Lena Frost is a British actress, known for her voice."),
    ("Mary Stone", "Mary Stone was a Danish actress who lived in Odense."),
    ("Tom Hale", "Tom Hale is an American actor from Ohio."),
    ("Orle", "Orle is a small town in northern Italy."),
    ("Pemberwick", "Pemberwick is a town on the Tamble."),
    ("Low Tide (film)", "Low Tide is a 1999 American drama film directed by Tom Hale."),
    ("The Long Road", "The Long Road is a 2003 British film about a farmer."),
    ("Red Harvest Moon", "Red Harvest Moon is a 1985 film."),
    ("University of Orle", "The University of Orle is a public university in Italy."),
    ("Tamble Museum", "The Tamble Museum is a museum in Pemberwick."),
]


def pool() -> list[Titled]:
    companies = [
        report(question, company=name, id=f"pool:c{number}")
        for number, (name, question) in enumerate(_COMPANIES.items())
    ]
    text = sample("Where was Ada Green born?", id="pool:t", passages=_PASSAGES, doc_type="clean_text", source="wiki")
    code = [
        sample(
            f"How does the {name} class close a stream?",
            id=f"pool:{repo}",
            doc_type="code_config",
            source="code",
            metadata={"repo": f"owner/{repo}"},
        )
        for repo, name in (("flask", "HeaderReader"), ("requests", "CookieJarView"), ("pytest", "TerminalOutput"))
    ]
    samples: list[Titled] = [(one, [""]) for one in companies]
    return [*samples, (text, [title for title, _ in _PASSAGES]), *((one, []) for one in code)]


def substitutes(titled: Sequence[Titled] | None = None, *, seed: int = 42) -> Substitutes:
    builder = SubstitutesBuilder(seed)
    for one, titles in pool() if titled is None else titled:
        builder.add(one, titles)
    return builder.build()
