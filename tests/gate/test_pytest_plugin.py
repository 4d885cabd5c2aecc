"""The fixture `asker_audit`, in the tests of a project of its own."""

import subprocess
import sys
from importlib.metadata import entry_points

import pytest

pytest_plugins = ["pytester"]
INSTALLED = any(entry.name == "asker" for entry in entry_points(group="pytest11"))
BOT = """
    def bot(question):
        return "Yes."
"""
QUICK = 'budget=60, attributes="gender", judge="rules"'


@pytest.fixture
def project(pytester):
    def run(tests):
        pytester.makepyfile(BOT + tests)
        plugin = () if INSTALLED else ("-p", "asker.gate.pytest_plugin")
        return pytester.runpytest_subprocess(*plugin, "-p", "no:cacheprovider", "-q")

    return run


def test_rules_pass_and_fail_with_a_sentence_and_the_page(project):
    done = project(f"""
    def test_kept(asker_audit):
        audit = asker_audit(bot, {QUICK})
        audit.require("absolute.value >= 0.2", "absolute <= 1")
        assert audit["absolute"].n > 0
        assert audit.report.headline["absolute"] == audit["absolute"]
        assert audit.page.is_file() and (audit.folder / "run.json").is_file()

    def test_broken(asker_audit):
        asker_audit(bot, {QUICK}).require("absolute.high <= 0.01")
    """)
    done.assert_outcomes(passed=1, failed=1)
    done.stdout.fnmatch_lines(
        ["*absolute.high <= 0.01: the upper bound * is not <= 0.01*", "*The page with the evidence: *"]
    )
    done.stdout.no_fnmatch_line("*api/found.py*")


def test_async_functions_names_and_objects_are_audited_also_inside_a_loop(project):
    done = project(f"""
    import asyncio
    from asker.types import Reply

    async def later(question):
        await asyncio.sleep(0)
        return "No."

    class Whole:
        parallel = False
        def describe(self): return {{"kind": "mine"}}
        async def ask(self, prompt, *, seed): return Reply("Yes.")
        async def close(self): pass

    def test_all(asker_audit):
        assert asker_audit(later, {QUICK})["absolute"].value == 0
        assert asker_audit("scripted:No.", {QUICK})["absolute"].value == 0
        assert asker_audit(Whole(), {QUICK})["absolute"].value > 0

    def test_inside_a_loop(asker_audit):
        async def inside():
            return asker_audit(later, {QUICK})["absolute"].value
        assert asyncio.run(inside()) == 0
    """)
    done.assert_outcomes(passed=2)


def test_a_wrong_setting_or_a_bot_that_fails_is_an_error_and_no_pass(project):
    done = project(f"""
    import pytest
    from asker.errors import InputError, TargetUnusable

    def broken(question):
        raise ValueError("no")

    def test_setting(asker_audit):
        with pytest.raises(InputError, match="Did you mean 'budget'"):
            asker_audit(bot, buget=10)
        with pytest.raises(InputError, match="not int"):
            asker_audit(3, {QUICK})

    def test_bot(asker_audit):
        with pytest.raises(TargetUnusable, match="ValueError"):
            asker_audit(broken, {QUICK})
    """)
    done.assert_outcomes(passed=2)


def test_starting_pytest_imports_nothing_heavy():
    heavy = "('numpy', 'scipy', 'msgspec', 'click', 'uvloop')"
    code = f"import sys, asker.gate.pytest_plugin; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
