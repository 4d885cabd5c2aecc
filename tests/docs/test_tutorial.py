"""The tutorial is run as it stands, in order, in an empty folder."""

import shlex

from docpages import ROOT, typed


def test_the_tutorial_leads_from_nothing_to_a_report(here):
    """In one process, as starting each command takes longer than many of them run."""
    said = ""
    for line in typed(ROOT / "docs" / "tutorial.md"):
        if line.startswith("asker "):
            done = here(*shlex.split(line)[1:])
            assert done.exit_code == 0, line
            said += done.stdout + done.stderr
    assert "takes a side in" in said
    for made in ("runs/alice/report.html", "runs/alice/report-redacted.html", "records.parquet", "answers.csv"):
        assert (here.folder / made).stat().st_size > 0
