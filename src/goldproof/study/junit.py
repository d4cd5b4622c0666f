"""Gates as JUnit XML, the form in which every CI shows test results."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldproof.study.gates import GateResult
    from goldproof.study.study import Study


def junit_xml(study: Study, gates: Sequence[GateResult], *, suite: str) -> str:
    """One test case per gate; without gates, one per comparison, where `worse` is a failure."""
    cases = _gate_cases(gates) if gates else _comparison_cases(study)
    failures = sum(1 for _, failure in cases if failure)
    root = ET.Element("testsuite", name=suite, tests=str(len(cases)), failures=str(failures), errors="0", skipped="0")
    for name, failure in cases:
        case = ET.SubElement(root, "testcase", classname=suite, name=_printable(name))
        if failure:
            ET.SubElement(case, "failure", message=_printable(failure)).text = _printable(failure)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _gate_cases(gates: Sequence[GateResult]) -> list[tuple[str, str]]:
    return [(f"fail if {result.gate.text}", "; ".join(result.failures)) for result in gates]


def _comparison_cases(study: Study) -> list[tuple[str, str]]:
    return [
        (f"{c.metric} {c.pair}", f"{c.pair.a} is worse than {c.pair.b}" if c.verdict == "worse" else "")
        for c in study.comparisons
    ]


def _printable(text: str) -> str:
    # XML 1.0 has no way to write most control characters, escaped or not.
    return "".join(c if c in "\t\n\r" or ord(c) >= 0x20 else "�" for c in text)
