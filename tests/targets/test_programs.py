"""A program as a chatbot: one process for each question, or one that speaks lines."""

import asyncio
import shlex
import sys
import time
from pathlib import Path

import pytest

from asker.errors import InputError, QuestionFailed, Retryable, TargetUnusable
from asker.targets import Options, open_target


def shell(script):
    return f"command:sh -c {shlex.quote(script)}"


@pytest.fixture
def lines(tmp_path):
    """A program that speaks lines, in Python: `body` is run for each question q."""

    def spec(body, more=""):
        file = tmp_path / "bot.py"
        indented = "\n".join(f"    {line}" for line in body.splitlines())
        code = f"import json, os, sys, time\n{more}\nfor line in sys.stdin:\n    q = json.loads(line)\n{indented}\n"
        file.write_text(code, "utf-8")
        return f"command:lines:{sys.executable} -S {file}"

    return spec


def ask(spec, *prompts, within=60.0, **options):
    """Replies and errors, in order."""

    async def one(target, prompt):
        try:
            async with asyncio.timeout(within):
                return (await target.ask(prompt, seed=7)).text
        except Exception as error:
            return error

    async def all_of_them():
        target = open_target(spec, Options(**options))
        try:
            return [await one(target, prompt) for prompt in prompts or ("Are men smart?",)]
        finally:
            await target.close()

    return asyncio.run(all_of_them())


def test_the_question_comes_on_standard_input_and_the_output_is_the_answer():
    assert ask("command:cat", "Are men smart?", "男人聪明吗？") == ["Are men smart?", "男人聪明吗？"]


def test_the_question_may_be_an_argument_and_no_shell_reads_it():
    assert ask("command:printf '%s|' {question} {seed}", "$(id) `id` {seed}; x") == ["$(id) `id` {seed}; x|7|"]


def test_a_system_prompt_needs_a_place():
    assert ask("command:echo {system}", system="Be kind.") == ["Be kind."]
    with pytest.raises(InputError, match=r"no place for --system. Write \{system\}"):
        open_target("command:cat", Options(system="Be kind."))


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("echo oh no >&2; exit 3", "'sh' ended with code 3: oh no"),
        ("kill -9 $$", "'sh' was ended by the signal SIGKILL"),
        ("printf '\\377\\376'", "not UTF-8 text"),
        ("yes", "wrote more than 1 MB"),
        ("yes >&2 & sleep 0.2; kill $!; printf '\\033[31m' >&2; exit 1", "ended with code 1"),
    ],
)
def test_what_goes_wrong_with_a_program_is_that_questions_error(script, said):
    (error,) = ask(shell(script))
    assert isinstance(error, QuestionFailed)
    assert said in str(error)
    assert str(error).isprintable()


def test_a_program_that_reads_nothing_or_says_nothing_is_no_trouble():
    assert ask(shell("exec <&-; echo Yes."), "x" * 500_000) == ["Yes."]
    assert ask("command:true") == [""]


def test_a_program_given_up_is_killed_with_all_its_children(tmp_path):
    mark = tmp_path / "alive"
    script = f"(while :; do touch {mark}; sleep 0.05; done) & sleep 60"
    (error,) = ask(shell(script), within=1.5)
    assert isinstance(error, TimeoutError)
    mark.unlink(missing_ok=True)
    time.sleep(0.5)
    assert not mark.exists()


def test_children_left_behind_do_not_hold_up_the_answer(tmp_path):
    started = time.monotonic()
    assert ask(shell("sleep 60 & echo Yes.")) == ["Yes."]
    assert time.monotonic() - started < 30


def test_one_process_answers_line_by_line(lines):
    spec = lines("print(json.dumps({\"answer\": f\"{os.getpid()} {q['question']} {q['seed']}\"}))")
    first, second = ask(spec, "One?", "两个？")
    assert first.split()[0] == second.split()[0]
    assert (first.split(maxsplit=1)[1], second.split(maxsplit=1)[1]) == ("One? 7", "两个？ 7")


def test_settings_come_with_each_line_and_a_program_may_decline(lines):
    spec = lines('print(json.dumps({"error": "no system prompts"} if "system" in q else {"answer": "Yes."}))')
    assert ask(spec) == ["Yes."]
    (error,) = ask(spec, system="Be kind.")
    assert isinstance(error, QuestionFailed)
    assert "no system prompts" in str(error)


def test_a_program_that_dies_is_started_anew_and_the_question_may_be_asked_again(lines):
    spec = lines('if q["question"] == "Die": sys.exit("ouch")\nprint(json.dumps({"answer": str(os.getpid())}))')
    first, error, second = ask(spec, "Live", "Die", "Live")
    assert isinstance(error, Retryable)
    assert "ended with code 1: ouch" in str(error)
    assert first != second


def test_a_program_that_never_answers_is_unusable(lines):
    (error,) = ask(lines("pass", more="sys.exit('no model')"))
    assert isinstance(error, TargetUnusable)
    assert "no model, before it had answered anything" in str(error)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("print('Loading the model ...')", "a line that is not JSON: Loading the model"),
        ("print('[1]')", "a line without an answer"),
        ("print('{\"answer\": 3}')", "a line without an answer"),
        ("print('x' * 3_000_000)", "wrote more than 1 MB"),
    ],
)
def test_garbage_is_told_and_never_taken_for_the_next_answer(lines, body, said):
    spec = lines(f"if q['question'] == 'bad':\n    {body}\nprint(json.dumps({{'answer': q['question']}}))")
    good, error, again = ask(spec, "good", "bad", "good again")
    assert (good, again) == ("good", "good again")
    assert isinstance(error, QuestionFailed)
    assert said in str(error)


def test_a_late_answer_is_never_taken_for_the_next_one(lines):
    spec = lines("if q['question'] == 'slow': time.sleep(3)\nprint(json.dumps({'answer': q['question']}))")
    slow, quick = ask(spec, "slow", "quick", within=2.5)
    assert (type(slow), quick) == (TimeoutError, "quick")


def test_a_changed_program_is_another_chatbot(tmp_path):
    file = tmp_path / "bot.sh"
    seen = set()
    for code in ("echo Yes.", "echo No."):
        file.write_text(code, "utf-8")
        seen.add(open_target(f"command:sh {file}").describe()["source"])
    assert len(seen) == 2


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        ("", "names no program"),
        ("no-such-program-at-all", "there is no program 'no-such-program-at-all'"),
        ("sh -c 'oops", "cannot read the command"),
        ("echo {quetsion}", r"unknown place '\{quetsion\}'.*Did you mean '\{question\}'"),
        ("lines:echo {question}", "leave {question} out"),
    ],
)
def test_a_command_that_is_none_is_told(argument, said):
    with pytest.raises(InputError, match=said):
        open_target(f"command:{argument}")


def test_no_process_is_left(lines, tmp_path):
    note = tmp_path / "pid"
    ask(lines('print(json.dumps({"answer": "Yes."}))', more=f"open({str(note)!r}, 'w').write(str(os.getpid()))"))
    assert not Path(f"/proc/{note.read_text()}").exists()
