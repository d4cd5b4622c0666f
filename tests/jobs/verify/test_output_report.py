from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from goldproof.corpus.libraries import Library
from goldproof.io.json_files import json_text
from goldproof.jobs.verify.finding import CaseFinding, Remark
from goldproof.jobs.verify.output.audit_markdown import audit_text
from goldproof.jobs.verify.output.placing import place_proofs
from goldproof.jobs.verify.output.plain import kept_observation
from goldproof.jobs.verify.output.report_json import case_entry
from goldproof.jobs.verify.result import AuditResult
from goldproof.report import render
from goldproof.sandbox.interpreter import Interpreter
from goldproof.sandbox.sandbox import Isolation
from tests.jobs.verify.found import LIBRARY, case, finding, option, tried


def result(*findings: CaseFinding, labels: tuple[str, ...] = (LIBRARY,)) -> AuditResult:
    libraries = tuple(
        Library(label, "PyYAML", label.partition("==")[2], "installed", Interpreter(Path("python"), ()), ("yaml",))
        for label in labels
    )
    return AuditResult(
        findings=findings,
        libraries=libraries,
        isolations={label: Isolation("bubblewrap", held=("secret file",)) for label in labels},
        inputs={"quiz.yaml": "0" * 64},
        settings={"prover": "rules", "model": None, "steps": None},
    )


def entry(found: CaseFinding) -> dict[str, object]:
    return case_entry(found, place_proofs([found]), version="6.0.3")


def with_verdicts(*verdicts: str, library: str = LIBRARY) -> list[CaseFinding]:
    return [finding(verdict, of=case(f"quiz:{n}"), library=library) for n, verdict in enumerate(verdicts)]


@pytest.mark.parametrize(
    ("verdicts", "says"),
    [
        (["valid"] * 3, "All 3 questions are proven right."),
        (["valid"], "The question is proven right."),
        (["valid", "unproven"], "None of 2 questions is wrong; 1 could not be proven."),
        (["valid", "incorrect"], "1 of 2 questions is wrong: 1 incorrect."),
        (
            ["broken", "incorrect", "incorrect", "ambiguous", "unproven", "valid"],
            "4 of 6 questions are wrong: 1 broken, 2 incorrect, 1 ambiguous; 1 could not be proven.",
        ),
    ],
)
def test_the_conclusion_says_how_many_are_wrong_and_how(verdicts: list[str], says: str) -> None:
    assert result(*with_verdicts(*verdicts)).conclusion == says


def test_the_conclusion_counts_what_could_not_be_read_and_names_each_of_several_libraries() -> None:
    unread = replace(result(*with_verdicts("valid")), problems=("quiz.yaml:9: no options",))
    assert unread.conclusion == "The question is proven right; 1 more could not be read."
    assert replace(unread, findings=()).conclusion == "No question could be read (1 tried)."
    newer = "PyYAML==7.0"
    both = result(*with_verdicts("valid"), *with_verdicts("incorrect", library=newer), labels=(LIBRARY, newer))
    assert both.conclusion == (
        f"{LIBRARY}: The question is proven right. {newer}: 1 of 1 question is wrong: 1 incorrect."
    )


def test_findings_fit_100_columns_and_a_narrow_screen_has_the_first_ones() -> None:
    long = [finding("unproven", of=case(f"quiz:{n}-{'x' * 60}"), reason="why " * 50) for n in range(20)]
    audit = result(*long)
    for wide, rows in ((True, 20), (False, 15)):
        table = audit.tables(wide=wide)[1]
        assert len(table.rows) == rows
        assert max(len(line) for line in render(table).splitlines()) <= 100
    assert audit.tables()[1].notes == ("5 more are in audit.md (--out DIR).",)


def test_an_entry_has_the_words_that_audits_are_known_by() -> None:
    one = entry(finding())
    assert one["id"] == "quiz:01"
    assert one["verdict"] == "valid"
    assert one["holds"] == ["A"]
    assert one["selected_answer"] == "A"
    assert one["quality_rating"] == "Valid"
    assert one["quality_rating_reason"] is None
    assert one["proof_summary"] == "Option A holds: returned {'a': 1}. Option B is refuted: returned {'a': 1}."


def test_an_option_has_its_observation_proof_control_isolation_and_version() -> None:
    options = entry(finding())["options"]
    assert isinstance(options, list)
    first = options[0]
    shown = {name: first[name] for name in ("observation", "proof", "isolation", "library_version", "status")}
    assert shown == {
        "observation": "returned {'a': 1}",
        "proof": "proofs/quiz_01/verify_option_A.py",
        "isolation": "bubblewrap",
        "library_version": "6.0.3",
        "status": "holds",
    }
    assert first["control"] == "flipped: the contradicting claim"


@pytest.mark.parametrize("verdict", ["broken", "unproven"])
def test_a_verdict_without_a_rating_says_why(verdict: str) -> None:
    one = entry(finding(verdict, reason="nobody knows."))
    assert one["quality_rating"] is None
    assert one["quality_rating_reason"] == f"{verdict}: nobody knows."


def test_an_option_without_any_proof_has_nulls() -> None:
    options = entry(finding("unproven", option("A", "open", reason="no rule applies")))["options"]
    assert isinstance(options, list)
    assert options[0]["proof"] is None
    assert options[0]["observation"] is None


def test_addresses_in_memory_are_masked_and_long_texts_are_cut() -> None:
    kept = kept_observation({"repr": "<a at 0x7f12345678>", "stdout": "x" * 5_000, "deep": [{"a": 0x7F}]})
    assert kept["repr"] == "<a at 0x...>"
    assert str(kept["stdout"]).endswith("... (5,000 characters)")
    assert "0x7f1234567890" not in json.dumps(entry(finding()))


def test_the_audit_puts_findings_first_each_with_its_proof_and_a_suggestion() -> None:
    bad = finding(
        "incorrect",
        option("A", "refuted", tried("A", "refuted", seen="returned [1]"), reason="returned [1]"),
        option("B", "holds", tried("B")),
        of=case("quiz:02"),
        reason="the key A is refuted; B holds.",
        fix="change the key to B.",
        remarks=(Remark("weak distractor", "C names nothing that exists."),),
    )
    findings = [finding(), bad]
    text = audit_text(findings, place_proofs(findings), libraries=[LIBRARY], notes=["Prover: rules"])
    assert text.index("## Incorrect (1)") < text.index("## Valid (1)")
    assert "**Suggested:** change the key to B." in text
    assert '```python\nimport yaml\n\nobserve("load", yaml.safe_load, "a: 1")\n```' in text
    assert "[`proofs/quiz_02/verify_option_A.py`](proofs/quiz_02/verify_option_A.py)" in text
    assert "- weak distractor: C names nothing that exists." in text
    assert "Observed: returned [1]. Control flipped: the contradicting claim." in text


def test_flawed_cases_are_to_be_left_out_and_unproven_ones_are_not() -> None:
    found = [finding(verdict, of=case(f"quiz:{verdict}")) for verdict in ("valid", "unproven", "broken", "ambiguous")]
    assert result(*found).excluded == ("quiz:broken", "quiz:ambiguous")


def test_the_same_audit_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        result(finding()).save(tmp_path / name)
    files = {path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*") if path.is_file()}
    assert len(files) > 20  # the observer's own modules are kept, too
    for file in files - {Path("run.json")}:
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_scripts_of_an_earlier_audit_go_when_it_is_written_again(tmp_path: Path) -> None:
    result(finding()).save(tmp_path / "audit")
    result(finding("valid", option("A", "holds", tried()))).save(tmp_path / "audit")
    assert not (tmp_path / "audit/proofs/quiz_01/verify_option_B.py").exists()
    assert (tmp_path / "audit/proofs/quiz_01/verify_option_A.py").exists()


def test_verdicts_that_differ_between_versions_are_drift() -> None:
    labels = ("PyYAML==5.4.1", "PyYAML==6.0.3")
    found = [finding("valid", library=labels[0]), finding("incorrect", library=labels[1])]
    tables = {table.title: table.rows for table in result(*found, labels=labels).tables()}
    assert tables["Drift between versions"] == (("quiz:01", "valid: A", "incorrect: A"),)
    assert tables["Verdicts"] == (
        ("PyYAML==5.4.1", "1", "1", "0", "0", "0", "0"),
        ("PyYAML==6.0.3", "1", "0", "0", "0", "1", "0"),
    )


def test_other_options_that_hold_are_drift_between_versions() -> None:
    labels = ("PyYAML==5.4.1", "PyYAML==6.0.3")
    found = [
        finding("ambiguous", *(option(one, "holds" if one in held else "refuted") for one in "ABC"), library=label)
        for label, held in zip(labels, ("AC", "AB"), strict=True)
    ]
    tables = {table.title: table.rows for table in result(*found, labels=labels).tables()}
    assert tables["Drift between versions"] == (("quiz:01", "ambiguous: A, C", "ambiguous: A, B"),)
    same = [finding("ambiguous", *found[0].options, library=label) for label in labels]
    assert "Drift between versions" not in {table.title for table in result(*same, labels=labels).tables()}


def test_an_audit_that_was_not_isolated_says_so() -> None:
    unsafe = AuditResult((finding(),), (), {LIBRARY: Isolation("unsafe")}, {}, {"prover": "rules"})
    assert unsafe.remarks == (f"NOT ISOLATED: scripts ran with all rights of this user ({LIBRARY}).",)


def test_a_result_is_a_frame_and_a_document() -> None:
    frame = result(finding()).to_frame()
    assert frame.select("case", "option", "key", "status").rows() == [
        ("quiz:01", "A", True, "holds"),
        ("quiz:01", "B", False, "refuted"),
    ]
    assert json.loads(json_text(result(finding()).to_dict()))["cases"][0]["id"] == "quiz:01"
