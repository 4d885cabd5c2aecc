"""Completion of commands in a shell."""

import os
import shutil
import subprocess
import sys

import pytest


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_a_shell_is_given_its_script(cli, shell):
    assert f"_ASKER_COMPLETE={shell}_complete" in cli("completion", shell).stdout


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes_commands_and_flags(cli):
    (cli.folder / "asker").write_text(f'#!/bin/sh\nexec {sys.executable} -m asker "$@"\n', "utf-8")
    (cli.folder / "asker").chmod(0o755)
    (cli.folder / "complete.bash").write_text(cli("completion", "bash").stdout, "utf-8")
    ask = (
        "source ./complete.bash; COMP_WORDS=(asker {0}); COMP_CWORD={1}; _asker_completion asker; "
        'printf "%s\\n" "${{COMPREPLY[@]}}"'
    )
    path = {"PATH": f"{cli.folder}:{os.environ['PATH']}"}
    verbs, flags = {"judge", "judge-eval", "judges"}, {"--judge", "--junit"}
    for typed, place, wanted in (("ju", 1, verbs), ("gate --ju", 2, flags)):
        done = subprocess.run(
            ["bash", "-c", ask.format(typed, place)],
            cwd=cli.folder, capture_output=True, text=True, env=os.environ | path, check=False,
        )  # fmt: skip
        assert set(done.stdout.split()) == wanted, done.stderr


def test_an_unknown_shell_is_named_with_those_there_are(cli):
    done = cli("completion", "powershell", ok=False)
    assert done.returncode != 0
    assert "bash" in done.stderr
