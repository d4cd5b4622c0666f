"""Which name exists."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import goldproof
from goldproof.jobs.verify.checks.compare import compare
from goldproof.jobs.verify.rules.names_rule import RULE
from tests.jobs.verify.rules.proving import prover

YAML, PYDANTIC, HTTPX = "PyYAML", "pydantic", "httpx"


@pytest.mark.parametrize(
    ("library", "question", "options", "expected"),
    [
        (YAML, "Which of the following is a method of `yaml.SafeLoader`?",
         ("`construct_object`", "parse_all()", "get_data"), "A confirmed, B refuted, C confirmed"),
        (YAML, "Which function exists in `yaml`?", ("safe_load", "load_safe"), "A confirmed, B refuted"),
        (YAML, "Which of these classes exists in `yaml`?", ("SafeLoader", "`PlainLoader`"), "A confirmed, B refuted"),
        (YAML, "Which of these submodules exists in `yaml`?", ("`loader`", "`reading`"), "A confirmed, B refuted"),
        (YAML, "Which of these is NOT a function in the `yaml` module?", ("dump", "emit_all"),
         "A refuted, B confirmed"),
        (YAML, "Which class represents a loader for plain objects only?", ("SafeLoader", "PlainLoader"),
         "A supported, B refuted"),
        (YAML, "Which function should you use to read untrusted text?", ("`read_untrusted`", "`load_text`"),
         "A refuted, B refuted"),
        (PYDANTIC, "Which of the following is a method of `BaseModel`?", ("model_dump", "to_dict()"),
         "A confirmed, B refuted"),
        (PYDANTIC, "Which `BaseModel` method should you call to get a dictionary?", ("model_dump", "as_dict"),
         "A supported, B refuted"),
        (HTTPX, "Which methods does `httpx.Client` provide?", ("get", "fetch()", "`post()`"),
         "A confirmed, B refuted, C confirmed"),
        (HTTPX, "Which of these classes exists in `httpx`?", ("ConnectTimeout", "SlowError"), "A confirmed, B refuted"),
        # Where names can be imported from, or are offered; constants of a module are there or not.
        (HTTPX, "Which of these names can be imported from the top-level `httpx` package?",
         ("`USE_CLIENT_DEFAULT`", "`IGNORE`", "`Client`", "Both A and C"), "A confirmed, B refuted, C confirmed"),
        (YAML, "Which of the following can NOT be imported from `yaml`?", ("`SafeLoader`", "`PlainLoader`", "`nodes`"),
         "A refuted, B confirmed, C refuted"),
        (YAML, "Which of these is not offered by `yaml.nodes`?", ("`ScalarNode`", "`TreeNode`"),
         "A refuted, B confirmed"),
        (YAML, "Which one is exported by the `yaml` module?", ("full_load", "load_full"), "A confirmed, B refuted"),
        (YAML, "Which of these classes is defined in `yaml.nodes`?", ("`nodes.Node`", "`nodes.Tree`"),
         "A confirmed, B refuted"),
        # A whole path is looked up as it stands.
        (YAML, "Which of the following is NOT a class that yaml defines?",
         ("`yaml.SafeLoader`", "`yaml.PlainLoader`", "`yaml.nodes.Node`"), "A refuted, B confirmed, C refuted"),
        (YAML, "Which of these exists?", ("`yaml.reader.Reader`", "`yaml.reader.Writer`"), "A confirmed, B refuted"),
        # More than being there is asked for.
        (YAML, "Which of these classes exists in `yaml`?", ("SafeLoader", "safe_load"), "A confirmed, B refuted"),
        (YAML, "Which of the following is an exception that yaml defines?",
         ("`yaml.YAMLError`", "`yaml.SafeLoader`", "`yaml.TreeError`"),
         "A confirmed, B refuted, C refuted"),
        (YAML, "Which of the following is NOT an exception that yaml defines?", ("`yaml.YAMLError`", "`yaml.Node`"),
         "A refuted, B confirmed"),
    ],
)  # fmt: skip
def test_names_are_looked_up(library: str, question: str, options: tuple[str, ...], expected: str) -> None:
    assert prover(library).standings(RULE, question, *options) == expected


@pytest.mark.parametrize(
    ("library", "question", "options"),
    [
        (YAML, "What happens when the stream is empty?", ("Nothing", "Error")),
        (YAML, "Which method returns a `yaml.Node`?", ("compose", "get_node")),  # of whom is not said
        (YAML, "What is the `peek` method of `yaml.SafeLoader` used for?", ("reading", "nothing")),
        (HTTPX, "Which attribute of `httpx.Client` holds the timeout?", ("_made_up_in_init", "the_timeout")),
        (HTTPX, "Which object represents a message?", ("types.Part", "types.Message")),
        (YAML, "Which of the following is a method of `yaml.SafeLoader`?", ("__call__", "mro()")),  # of its own type
        (YAML, "Which class is used here?", ("None of the above", "All of the above")),
        (YAML, "Which exception class is best?", ("ValueError", "KeyError")),
        (YAML, "Which class does not serve to load text?", ("SafeLoader", "PlainLoader")),
        (YAML, "From which module can `SafeLoader` be imported?", ("`yaml.loader`", "`yaml.loading`")),
        (YAML, "Which function exists in `yaml`?", ("`SafeLoader`", "`dump_all.width`")),  # it may be called like one
        (YAML, "Which of these can be imported from `trees`?", ("`Leaf`", "`Root`")),
        (YAML, "Which of these is NOT offered by `yaml.reader`?", ("`codecs`", "`re`")),  # what it imports for itself
        (YAML, "Which of the names that can be imported from `yaml` does not load text?", ("`load`", "`dump`")),
    ],
)
def test_the_rule_is_silent(library: str, question: str, options: tuple[str, ...]) -> None:
    assert prover(library).proofs(RULE, question, *options) == []


def test_existence_decides_only_where_it_is_asked() -> None:
    asked = prover(YAML).proofs(RULE, "Which function exists in `yaml`?", "safe_load")
    meant = prover(YAML).proofs(RULE, "Which function of `yaml` should you use to read text?", "safe_load")
    assert [one.power for one in (*asked, *meant)] == ["decides", "refutes"]


@pytest.mark.parametrize(("option", "holds"), [("SafeLoader", True), ("PlainLoader", False)])
def test_a_kept_script_observes_the_same_by_hand(option: str, holds: bool, tmp_path: Path) -> None:
    (proof,) = prover(YAML).proofs(RULE, "Which class represents a loader for plain objects only?", option)
    shutil.copytree(Path(goldproof.__file__).parent / "sandbox" / "inside" / "proof", tmp_path / "goldproof_proof")
    script = tmp_path / "case" / "verify_option_A.py"
    script.parent.mkdir()
    script.write_text(proof.script)
    made = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True, timeout=60)
    assert compare(proof.expect, tuple(json.loads(made.stdout))).holds is holds
