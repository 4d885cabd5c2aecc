"""Checks as a JUnit file, which every CI service can show."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from asker.gate.limits import Check

# XML 1.0 has no place for these, not even escaped; a group's or a chatbot's name may hold any.
NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
TAG = {"broken": "failure", "no data": "error"}


def junit(checks: Sequence[Check], run: str) -> bytes:
    """A suite of the run, with a case for each rule: a broken one is a failure, one without data an error."""
    results = [one.result for one in checks]
    counts = {
        "tests": str(len(checks)),
        "failures": str(results.count("broken")),
        "errors": str(results.count("no data")),
    }
    suites = Element("testsuites", {"name": "asker gate", **counts})
    suite = SubElement(suites, "testsuite", {"name": clean(run), **counts, "skipped": "0"})
    for one in checks:
        case = SubElement(suite, "testcase", {"classname": clean(run), "name": clean(one.rule)})
        if one.result in TAG:
            SubElement(case, TAG[one.result], {"message": clean(one.why), "type": one.result}).text = clean(one.why)
        else:
            SubElement(case, "system-out").text = clean(one.why)
    indent(suites)
    return bytes(tostring(suites, encoding="utf-8", xml_declaration=True)) + b"\n"


def clean(text: str) -> str:
    return NOT_XML.sub("\ufffd", text)
