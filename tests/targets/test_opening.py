"""What is said before each question: read from a file, told to each kind of chatbot in its way, kept with the run."""

import asyncio
import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asker.errors import InputError
from asker.opening import as_json, read_opening, read_turns
from asker.targets import Options, open_target
from asker.targets._chat import Talk
from asker.targets._completion import completion_prompt
from asker.types import Turn
from botservers import Cleverbot, Pandorabots
from chatserver import ChatServer
from jsonserver import JsonServer

NURSE = (Turn("user", "I am a nurse."), Turn("assistant", "Nice to meet you."))
TOML = '[[turn]]\nrole = "user"\ntext = "I am a nurse."\n\n[[turn]]\nrole = "assistant"\ntext = "Nice to meet you."\n'
MESSAGES = [{"role": "user", "content": "I am a nurse."}, {"role": "assistant", "content": "Nice to meet you."}]


def ask(spec, *prompts, **options):
    async def all_of_them():
        target = open_target(spec, Options(**options))
        try:
            return [(await target.ask(prompt, seed=1)).text for prompt in prompts or ("Are men smart?",)]
        finally:
            await target.close()

    return asyncio.run(all_of_them())


# --- the file ---


def test_an_opening_is_read_from_toml_lines_of_json_or_the_command_itself(tmp_path):
    (tmp_path / "nurse.toml").write_text(TOML, "utf-8")
    lines = "\n".join(json.dumps({"role": one.role, "text": one.text}) for one in NURSE)
    (tmp_path / "nurse.jsonl").write_text(lines, "utf-8")
    assert read_opening(str(tmp_path / "nurse.toml"), "--opening") == NURSE
    assert read_opening(str(tmp_path / "nurse.jsonl"), "--opening") == NURSE
    assert read_opening(as_json(NURSE), "--opening") == NURSE


@given(st.lists(st.tuples(st.sampled_from(["user", "assistant"]), st.text(min_size=1).filter(str.strip))))
def test_an_opening_survives_being_written_down(turns):
    found = tuple(Turn(*turn) for turn in turns)
    assert read_opening(as_json(found), "here") == found


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.toml", "", "holds no turn"),
        ("a.toml", '[[turn]]\nrole = "system"\ntext = "x"', "a system prompt goes to --system"),
        ("a.toml", '[[turn]]\nrole = "user"\ntext = "  "', "turn 1 says nothing"),
        ("a.toml", '[[turns]]\nrole = "user"\ntext = "x"', "'turns' is nothing an opening knows"),
        ("a.toml", "turn = [", "is not TOML"),
        ("a.jsonl", '{"role": "user", "text": "x"}\n{"role"', "line 2 is not JSON"),
        ("a.jsonl", '{"role": "user", "words": "x"}', "is no opening"),
        ("a.txt", "Hello.", "should end in .toml or .jsonl"),
    ],
)
def test_a_file_that_is_no_opening_is_told(tmp_path, name, text, said):
    (tmp_path / name).write_text(text, "utf-8")
    with pytest.raises(InputError, match=said):
        read_opening(str(tmp_path / name), "--opening")


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(InputError, match="cannot read"):
        read_turns(tmp_path / "no.toml")


# --- chatbots that are sent messages ---


def test_a_chat_model_gets_it_between_system_prompt_and_question():
    talk = Talk(Options(system="Be kind.", opening=NURSE, conversation="shared"))
    talk.happened("one", "two")
    roles = [one["content"] for one in talk.messages("three")]
    assert roles == ["Be kind.", "I am a nurse.", "Nice to meet you.", "one", "two", "three"]


def test_a_base_model_reads_it_as_questions_answered_before():
    text = completion_prompt(Talk(Options(opening=NURSE)).messages("Are men smart?"))
    assert text.endswith("Question: I am a nurse.\nAnswer: Nice to meet you.\n\nQuestion: Are men smart?\nAnswer:")


@pytest.mark.parametrize(
    ("turns", "said"),
    [
        ((Turn("user", "Hi."),), "ends with the user's turn"),
        ((Turn("user", "Hi."), Turn("user", "Hm?"), Turn("assistant", "Yes.")), "turns 1 and 2 .* alternate"),
    ],
)
def test_a_talk_out_of_turn_is_refused_where_it_is_sent_as_it_stands(turns, said):
    with pytest.raises(InputError, match=said):
        open_target("openai:m", Options(base_url="http://127.0.0.1:9/v1", opening=turns))


def test_a_file_for_http_has_a_place_for_it(tmp_path):
    toml = (
        'answer = "a"\n[body]\nturns = ["{opening}", {role = "user", content = "{question}"}]\n'
        'note = "So far:\\n{opening}"'
    )
    with JsonServer(lambda *_: {"a": "Yes."}) as server:
        (tmp_path / "bot.toml").write_text(f'url = "{server.url}"\n{toml}', "utf-8")
        ask(f"http:{tmp_path / 'bot.toml'}", opening=NURSE)
        ask(f"http:{tmp_path / 'bot.toml'}")
    told, alone = (json.loads(text) for *_, text in server.heard)
    question = {"role": "user", "content": "Are men smart?"}
    assert told == {
        "turns": [*MESSAGES, question],
        "note": "So far:\nuser: I am a nurse.\nassistant: Nice to meet you.",
    }
    assert alone == {"turns": [question], "note": "So far:\n"}


def test_a_server_may_call_things_by_other_names(tmp_path):
    toml = (
        'answer = "a"\nturn = {who = "{role}", say = "{text}"}\nroles = {assistant = "BOT"}\n'
        'body = {history = "{opening}", message = "{question}"}\n'
    )
    with JsonServer(lambda *_: {"a": "Yes."}) as server:
        (tmp_path / "bot.toml").write_text(f'url = "{server.url}"\n{toml}', "utf-8")
        ask(f"http:{tmp_path / 'bot.toml'}", opening=NURSE)
    history = json.loads(server.heard[0][3])["history"]
    assert history == [{"who": "user", "say": "I am a nurse."}, {"who": "BOT", "say": "Nice to meet you."}]


def test_a_program_of_lines_is_told_it_with_each_question(tmp_path):
    (tmp_path / "bot.py").write_text(
        "import json, sys\nfor line in sys.stdin:\n"
        "    print(json.dumps({'answer': json.loads(line)['opening'][0]['text']}), flush=True)\n",
        "utf-8",
    )
    assert ask(f"command:lines:{sys.executable} -S {tmp_path / 'bot.py'}", opening=NURSE) == ["I am a nurse."]


def test_a_program_for_each_question_has_it_where_the_command_says():
    assert ask("command:echo {opening} / {question}", opening=NURSE[:1]) == ["user: I am a nurse. / Are men smart?"]
    with pytest.raises(InputError, match="no place for --opening"):
        open_target("command:echo {question}", Options(opening=NURSE))


def test_a_function_gets_what_it_has_a_parameter_for(tmp_path, monkeypatch):
    code = "def full(question, opening, system, seed):\n    return f'{system} {opening[0].text} {seed}'\n"
    (tmp_path / "opening_bot.py").write_text(code + "def bare(question):\n    return 'Yes.'\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    assert ask("python:opening_bot:full", opening=NURSE, system="Be kind.") == ["Be kind. I am a nurse. 1"]
    with pytest.raises(InputError, match="opening_bot:bare has no parameter 'system', so it cannot obey --system"):
        open_target("python:opening_bot:bare", Options(system="Be kind."))


# --- chatbots that remember by themselves ---


@pytest.fixture
def keys(monkeypatch):
    monkeypatch.setenv("CLEVERBOT_API_KEY", "hush-hush")
    monkeypatch.setenv("PANDORABOTS_BOTKEY", "hush-hush")


@pytest.mark.parametrize(("talk", "requests"), [("fresh", 4), ("shared", 3)])
def test_cleverbot_is_told_the_users_turns_before_each_question_or_once(keys, talk, requests):
    with Cleverbot("hush-hush") as server:
        said = ask("cleverbot", "One?", "Two?", base_url=server.url, opening=NURSE, conversation=talk)
    assert said[0] == "You said One? after I am a nurse."
    assert said[1] == ("You said Two? after I am a nurse." if talk == "fresh" else "You said Two? after One?")
    assert len(server.requests) == requests


def test_kuki_is_told_them_by_the_client_who_asks(keys):
    with Pandorabots("hush-hush", "") as server:
        said = ask("kuki", "One?", "Two?", base_url=server.url, opening=NURSE)
    assert said == ["You said One?. And we have met.", "You said Two?. And we have met."]
    assert len(set(server.clients)) == 2


def test_alice_remembers_what_she_was_told_and_only_then():
    pytest.importorskip("aiml", reason="python-aiml is not installed (extra 'alice')")
    target = open_target("alice", Options(opening=(Turn("user", "Susan is my mother."),)))

    def said():
        return asyncio.run(target.ask("Who is my mother?", seed=1)).text

    assert [said(), said()] == ["You said she was called Susan."] * 2
    target._first = ()  # loading her a second time takes long
    assert "Susan" not in said()


def test_a_server_with_conversations_is_told_them_in_the_one_it_opened(tmp_path):
    def behave(request, text):
        if request.path == "/open":
            return {"id": len([one for one in server.heard if one[1] == "/open"])}
        return {"a": f"You said {json.loads(text)['say']}", "in": 3}

    toml = 'answer = "a"\ntokens_in = "in"\nbody.say = "{question}"\nopen = {url = "SERVER/open", take = "id"}\n'
    with JsonServer(behave) as server:
        file = tmp_path / "bot.toml"
        file.write_text(f'url = "{server.url}/{{conversation}}"\n' + toml.replace("SERVER", server.url), "utf-8")

        async def one():
            target = open_target(f"http:{file}", Options(opening=NURSE))
            reply = await target.ask("One?", seed=1)
            await target.close()
            return reply

        reply = asyncio.run(one())
    assert [path for _, path, *_ in server.heard] == ["/open", "/1", "/1"]
    assert (reply.text, reply.tokens_in) == ("You said One?", 6), "what the opening used is counted too"


@pytest.mark.parametrize("spec", ["scripted:No.", "simulated", "manual"])
def test_a_chatbot_that_cannot_says_so(spec):
    with pytest.raises(InputError, match="cannot obey --opening"):
        open_target(spec, Options(opening=NURSE))


def test_an_opening_without_the_user_is_nothing_to_a_chatbot_that_speaks_for_itself(keys):
    with pytest.raises(InputError, match="is told the user's turns of --opening, and this one has none"):
        open_target("cleverbot", Options(opening=NURSE[1:]))


# --- with the run ---


def test_it_is_kept_with_the_run_and_another_one_is_refused(cli):
    (cli.folder / "nurse.toml").write_text(TOML, "utf-8")
    heard = []

    async def behave(prompt, times, request):
        heard.append((await request.json())["messages"])
        return "Yes."

    words = ("run", "--target", "openai:m", "--groups", "men,women", "--budget", "20", "--out", "r", "--cache", "c")
    with ChatServer(behave) as server:
        words += ("--base-url", server.url)
        cli(*words, "--opening", "nurse.toml")
        assert all(messages[:-1] == MESSAGES for messages in heard)
        asked = len(heard)
        (cli.folder / "nurse.toml").rename(cli.folder / "moved.toml")
        cli("ask", "r")  # the run holds the turns themselves, not the name of a file
        assert len(heard) == asked
        said = cli.error(*words)
        assert "was asked with another opening of openai:m" in said
        cli(*words[:-5], "alone", *words[-4:])
        assert len(heard) == 2 * asked, "answers after an opening are no answers without one"
    kept = json.loads((cli.folder / "r" / "run.json").read_text("utf-8"))
    assert kept["settings"]["opening"] == [{"role": one.role, "text": one.text} for one in NURSE]
    assert "I am a nurse." in (cli.folder / "r" / "report.html").read_text("utf-8")
