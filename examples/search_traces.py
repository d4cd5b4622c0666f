"""Compare the search traces of two agents on the same forty questions: one repeats itself, the other reformulates."""

from __future__ import annotations

import random

import goldproof

PAGES = 30


def conversation(number: int, *, reformulates: bool) -> dict[str, object]:
    """Three iterations of five results; a page's gain depends on the question and the page alone."""
    dice = random.Random(number)  # noqa: S311 - an example
    gains = [dice.choice([0, 0, 0, 1, 2, 4]) for _ in range(PAGES)]
    iterations = []
    for i in range(3):
        first = dice.randrange(PAGES) if reformulates else i
        pages = [(first + step) % PAGES for step in range(5)]
        results = [{"url": f"https://pages.example/{number}/{page}", "gain": gains[page]} for page in pages]
        iterations.append({"searches": [{"query": f"attempt {i}", "results": results}]})
    return {"conversation_id": f"question-{number}", "turns": [{"iterations": iterations}]}


def main() -> None:
    """Score both and print the comparison."""
    stubborn = [conversation(n, reformulates=False) for n in range(40)]
    curious = [conversation(n, reformulates=True) for n in range(40)]
    result = goldproof.score_traces(systems={"stubborn": stubborn, "curious": curious}, metrics="CG, SRE, SRR")
    print(result)


if __name__ == "__main__":
    main()
