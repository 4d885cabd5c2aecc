"""Two translators fill a column, by protocols that servers on loopback check."""

import csv
import json

import pytest
from aiohttp import web
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from asker.building.translating.agreement import ENOUGH, agreement, comes_back
from asker.data import read
from chatserver import ChatServer
from jsonserver import JsonServer

FIRST = {"men": "男人", "women": "女人", "are stupid": "很笨", "are smart": "很聪明", "are poor": "贫穷"}
SECOND = FIRST | {"are smart": "不聪明", "are poor": "穷困"}
BACK = {"贫穷": "are poor", "穷困": "are poor", "很聪明": "are smart", "不聪明": "are not smart"}
KEY = "secret-key:fx"


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "data"
    place.mkdir()
    (place / "groups.csv").write_text("id,attribute,en,zh\nmen,gender,men,\nwomen,gender,women,\n", "utf-8")
    (place / "properties.csv").write_text(
        "id,labels,negative_en,positive_en,negative_zh,positive_zh\n"
        "stupid,competence,are stupid,are smart,,\npoor,financial status,are poor,are rich,,富有\n",
        "utf-8",
    )
    return place


def deepl(words):
    def behave(request, text):
        body = json.loads(text)
        if request.headers.get("Authorization") != f"DeepL-Auth-Key {KEY}":
            return web.json_response({"message": f"Wrong key {KEY}"}, status=403)
        assert (request.method, request.path) == ("POST", "/v2/translate")
        assert body["source_lang"] == "EN"
        assert body["target_lang"] == "ZH"
        assert 0 < len(body["text"]) <= 50
        found = [{"detected_source_language": "EN", "text": words[one]} for one in body["text"]]
        return {"translations": found}

    return behave


def google(words):
    def behave(request, text):
        body = json.loads(text)
        assert (request.method, request.path_qs) == ("POST", "/language/translate/v2")
        assert request.headers["X-Goog-Api-Key"] == "google-key"
        assert (body["source"], body["target"], body["format"]) == ("en", "zh-CN", "text")
        return {"data": {"translations": [{"translatedText": words[one]} for one in body["q"]]}}

    return behave


def program(folder, words, name):
    """A translator that reads lines and writes lines."""
    file = folder.parent / name
    file.write_text(
        f"import sys\nwords = {words!r}\nfor line in sys.stdin:\n    print(words.get(line.strip(), ''))\n", "utf-8"
    )
    return f"command:python3 {file}"


def review(folder):
    with (folder / "translation-review.csv").open(encoding="utf-8-sig", newline="") as text:
        return list(csv.DictReader(text))


def test_deepl_and_google_fill_what_they_agree_on_and_a_person_gets_the_rest(here, folder):
    env = {"DEEPL_API_KEY": KEY, "GOOGLE_API_KEY": "google-key"}
    with JsonServer(deepl(FIRST)) as one, JsonServer(google(SECOND)) as two:
        flags = ("--with", f"deepl:{one.url}", "--with", f"google:{two.url}")
        done = here("data", "translate", str(folder), *flags, "--json", env=env)
        assert json.loads(done.stdout) == {"cells": 5, "agreed": 3, "review": 2, "failed": 0}
        asked = len(one.heard)
        here("data", "translate", str(folder), *flags, env=env)
        assert len(one.heard) == asked  # what was translated is not asked for again
    dataset = read(folder)
    assert [group.names["zh"] for group in dataset.groups] == ["男人", "女人"]
    rows = {row["text"]: row for row in review(folder)}
    assert (rows["are smart"]["proposal"], rows["are smart"]["other"]) == ("很聪明", "不聪明")
    assert rows["are smart"]["agreement"] == "0.00"  # one denies
    assert not any(KEY in file.read_text("utf-8") for file in folder.iterdir())


def test_a_review_half_filled_survives_a_second_run_and_is_merged(here, folder):
    flags = ("--with", program(folder, FIRST, "one.py"), "--with", program(folder, SECOND, "two.py"))
    here("data", "translate", str(folder), *flags)
    file = folder / "translation-review.csv"
    rows = review(folder)
    text = file.read_text("utf-8-sig").splitlines()
    at = next(number for number, row in enumerate(rows, 1) if row["text"] == "are smart")
    text[at] = text[at].removesuffix(",,") + ",聪慧,"
    file.write_text("\n".join(text), "utf-8")
    here("data", "translate", str(folder), *flags)
    assert {row["text"]: row["value"] for row in review(folder)} == {"are smart": "聪慧", "are poor": ""}
    assert "1 rows have no value" in here.error("data", "merge-review", str(folder), str(file))
    here("data", "merge-review", str(folder), str(file), "--partial")
    assert read(folder).properties[0].phrases["positive_zh"].text == "聪慧"


def test_a_way_back_finds_that_different_words_mean_the_same(here, folder):
    flags = ("--with", program(folder, FIRST, "one.py"), "--with", program(folder, SECOND, "two.py"))
    back = program(folder, BACK | {"男人": "men", "女人": "women", "很笨": "are stupid"}, "back.py")
    done = here("data", "translate", str(folder), *flags, "--back", back, "--json")
    assert json.loads(done.stdout)["agreed"] == 4
    assert [row["text"] for row in review(folder)] == ["are smart"]


def test_a_chatbot_translates_and_one_that_talks_has_not(here, folder):
    def behave(prompt, times, request):
        text = prompt.rsplit("\n", 1)[1]
        return FIRST[text] if text != "men" else "Sure! Here is your translation:\n男人\nIs there anything else?"

    with ChatServer(behave) as server:
        env = {"ASKER_TRANSLATE_BASE_URL": server.url, "OPENAI_API_KEY": "k", "XDG_CACHE_HOME": str(folder.parent)}
        flags = ("--with", "target:openai:m", "--with", program(folder, FIRST, "two.py"))
        done = here("data", "translate", str(folder), *flags, "--json", env=env)
    assert json.loads(done.stdout) == {"cells": 5, "agreed": 4, "review": 1, "failed": 1}
    assert (review(folder)[0]["text"], review(folder)[0]["proposal"]) == ("men", "男人")


def test_a_translator_that_fails_half_way_loses_nothing(here, folder):
    rows = "".join(f"g{n},culture,group {n} people,\n" for n in range(120))
    (folder / "groups.csv").write_text("id,attribute,en,zh\n" + rows, "utf-8")
    calls = []

    def behave(request, text):
        calls.append(json.loads(text)["text"])
        if len(calls) == 2:
            return web.json_response({"message": "quota"}, status=456)
        return {"translations": [{"text": "译" + one} for one in calls[-1]]}

    with JsonServer(behave) as server:
        flags = ("--with", f"deepl:{server.url}", "--with", program(folder, {}, "two.py"))
        said = here.error("data", "translate", str(folder), *flags, env={"DEEPL_API_KEY": KEY})
        assert "quota of this key is used up" in said
        here("data", "translate", str(folder), *flags, env={"DEEPL_API_KEY": KEY})
    asked = [text for batch in calls[:1] + calls[2:] for text in batch]
    assert len(asked) == len(set(asked))


def test_a_service_that_is_busy_is_asked_again_and_a_wrong_key_is_not_shown(here, folder):
    def behave(request, text):
        if len(server.heard) == 1:
            return web.Response(status=429, headers={"Retry-After": "0"})
        return deepl(FIRST)(request, text)

    with JsonServer(behave) as server:
        flags = ("--with", f"deepl:{server.url}", "--with", program(folder, FIRST, "two.py"))
        here("data", "translate", str(folder), *flags, env={"DEEPL_API_KEY": KEY})
    (folder / "translations.jsonl").unlink()
    (folder / "groups.csv").write_text("id,attribute,en,zh\nmen,gender,men,\n", "utf-8")
    with JsonServer(lambda request, text: web.json_response({"message": f"bad key {KEY}"}, status=403)) as server:
        flags = ("--with", f"deepl:{server.url}", "--with", program(folder, FIRST, "two.py"))
        said = here.error("data", "translate", str(folder), *flags, env={"DEEPL_API_KEY": KEY})
    assert "refused the key" in said
    assert KEY not in said


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--with", "deepl"), "two translators are compared, and 1 were given"),
        (("--with", "deepl", "--with", "deepl"), "would agree with themselves"),
        (("--with", "depl", "--with", "google"), "unknown translator 'depl' in --with. Did you mean 'deepl'?"),
        (("--with", "deepl", "--with", "google"), "has no key: set the environment variable DEEPL_API_KEY"),
        (("--with", "command:", "--with", "google"), "names no command"),
    ],
)
def test_what_cannot_be_done_is_said(here, folder, flags, said):
    assert said in here.error("data", "translate", str(folder), *flags)


@pytest.mark.parametrize(
    ("first", "second", "enough"),
    [
        ("很懒", "懒", True),  # 很 changes nothing
        ("经常违法", "经常违法。", True),
        ("老年人", "老年人士", True),
        ("不应该参加体育运动", "应该参加体育运动", False),  # one denies
        ("无法被信任", "不能被信任", False),  # the same in other words: a person looks
        ("贫穷", "穷困", False),
    ],
)
def test_agreement_is_of_characters_and_of_what_is_denied(first, second, enough):
    assert (agreement(first, second, "zh", is_name=first.startswith("老")) >= ENOUGH) is enough


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(max_size=12), st.text(max_size=12))
def test_agreement_is_a_share_and_goes_both_ways(first, second):
    value = agreement(first, second, "zh")
    assert 0 <= value <= 1
    assert value == pytest.approx(agreement(second, first, "zh"))


def test_what_comes_back_denied_has_not_come_back():
    assert comes_back("are smart", "are very smart") == 1
    assert comes_back("are smart", "are not smart") == 0
