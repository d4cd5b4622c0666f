"""What a question takes for granted."""

from __future__ import annotations

import pytest

from goldproof.jobs.verify.rules.premise_rule import RULE
from tests.jobs.verify.rules.proving import prover

YAML, PYDANTIC, HTTPX = "PyYAML", "pydantic", "httpx"


def _refuted(library: str, question: str, code: str = "") -> list[str]:
    tried = prover(library).tried(RULE, question, "x", code=code)
    return [one.proof.says for one in tried if one.standing == "refuted"]


@pytest.mark.parametrize(
    ("library", "question", "missing"),
    [
        (YAML, "What does `yaml.parse_tree` return?", "yaml.parse_tree"),
        (YAML, "What does a `TreeLoader` build?", "TreeLoader"),
        (YAML, "What does yaml.tree.load return?", "yaml.tree.load"),
        (YAML, "What does `SafeLoader.build_tree()` return?", "SafeLoader.build_tree"),
        (YAML, "What does the `order` parameter of `yaml.safe_load` do?", "order"),
        (YAML, "What is `yaml.safe_load`'s `order` argument for?", "order"),
        (YAML, "What is the `build_tree` method of `yaml.SafeLoader` for?", "build_tree"),
        (PYDANTIC, "When should one use `BaseModel.to_dictionary()`?", "to_dictionary"),
        (HTTPX, "How does `httpx.TurboClient` differ from `httpx.Client`?", "TurboClient"),
        # What is said to be unknown or missing is what goes in, not the name.
        (YAML, "Which parameter of `yaml.TreeLoader` decides what happens to unknown fields?", "TreeLoader"),
        (YAML, "How does `yaml.load_tree` treat missing values and invalid characters?", "yaml.load_tree"),
        (YAML, "What does `yaml.tree_dump` do with undefined tags?", "yaml.tree_dump"),
    ],
)
def test_what_is_not_there_is_found_out(library: str, question: str, missing: str) -> None:
    (says,) = _refuted(library, question)
    assert missing in says


@pytest.mark.parametrize(
    ("library", "question"),
    [
        (YAML, "What does `yaml.safe_load` return?"),
        (YAML, "What does the `sort_keys` parameter of `yaml.dump` do?"),
        (YAML, "How does `SafeLoader` differ from `BaseLoader`?"),
        (PYDANTIC, "When is a `ValidationError` raised by `BaseModel.model_validate()`?"),
        (HTTPX, "What does `AsyncClient.aclose()` do?"),
        (HTTPX, "What does an `SSLContext` change for `httpx.Client`?"),  # of what the library imports
    ],
)
def test_what_is_there_is_not_refuted(library: str, question: str) -> None:
    assert _refuted(library, question) == []


@pytest.mark.parametrize(
    "question",
    [
        "Does `yaml.parse_tree` exist?",
        "What happens to unknown fields such as `yaml.parse_tree`?",
        "Which error names the missing attributes, for example `yaml.parse_tree`?",
        "Why is `yaml.parse_tree` unknown?",
        "What replaced the removed function `yaml.parse_tree`?",
        "Which classes are available in place of `yaml.TreeLoader`?",
        "`TreeLoader` is not a valid class. What should one use?",
        "What does your `TreeLoader` build?",
        "Given a custom class `TreeBuilder`, what is printed?",
        "What does `MyLoader` build?",
        "What does a `Dumpers` object do?",
        "What is printed by `print(1)` and `os.getcwd()`?",
        "What is the value `TreeThing`?",
        "Which import gives `TreeLoader`, the correct import statement?",
        "Why does `make_tree` fail?",
    ],
)
def test_the_rule_is_silent(question: str) -> None:
    assert prover(YAML).proofs(RULE, question, "x") == []


def test_what_the_code_defines_is_no_premise() -> None:
    code = "import yaml\nclass TreeLoader(yaml.SafeLoader):\n    pass\n"
    assert _refuted(YAML, "What does `TreeLoader` build?", code) == []
