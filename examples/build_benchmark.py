"""Build a benchmark, let two retrievers answer it, and compare them: from data to a verdict, offline.

The benchmark is the bundled `quickstart` recipe; put your own recipe in its place. One retriever ranks by BM25 over the
whole text of a document, the other over its first ten words.
"""

import bm25s

import goldproof

benchmark = goldproof.build("quickstart")
documents = list(benchmark.documents())
judgments = {sample.id: dict.fromkeys(sample.gold_documents, 1) for sample in benchmark if sample.answerable}
print(f"{len(benchmark)} samples ({len(judgments)} answerable), {len(documents)} documents\n")


def search(texts: list[str]) -> dict[str, dict[str, float]]:
    """Rank ten documents for every answerable question, by these texts of theirs."""
    index = bm25s.BM25()
    index.index(bm25s.tokenize(texts, show_progress=False), show_progress=False)
    run = {}
    for sample in benchmark:
        if sample.answerable:
            query = bm25s.tokenize(sample.question, show_progress=False)
            found, scores = index.retrieve(query, k=min(10, len(documents)), show_progress=False)
            run[sample.id] = {documents[int(n)].id: float(s) for n, s in zip(found[0], scores[0], strict=True) if s > 0}
    return run


whole = search([f"{document.title} {document.text}" for document in documents])
beginning = search([" ".join(f"{document.title} {document.text}".split()[:10]) for document in documents])
result = goldproof.evaluate(judgments, runs={"beginning": beginning, "whole text": whole}, metrics="nDCG@10, R@5")
print(result)
