"""One precedence: flag > environment > audit.toml > default."""

import pytest

from asker.config import Settings, resolve
from asker.errors import InputError, UnknownName


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "audit.toml"
    path.write_text('target = "scripted"\nseed = 7\nattributes = ["age", "race"]\nkey-env = "MY_KEY"\n', "utf-8")
    return path


def test_the_more_deliberate_place_wins(file):
    chosen = resolve({"seed": "9", "target": None}, file, {"ASKER_SEED": "8", "ASKER_BUDGET": "50"})
    assert (chosen.seed, chosen.budget, chosen.target, chosen.samples) == (9, 50, "scripted", Settings().samples)
    assert resolve({}, file, {"ASKER_SEED": "8"}).seed == 8
    assert resolve({}, file, {}).seed == 7
    assert resolve({}, None, {}) == Settings()


def test_lists_come_as_words_or_lists(file):
    assert resolve({}, file, {}).attributes == ("age", "race")
    assert resolve({"attributes": "gender, age"}, file, {}).attributes == ("gender", "age")


def test_an_unknown_setting_is_named(tmp_path):
    path = tmp_path / "audit.toml"
    path.write_text("budgte = 5", "utf-8")
    with pytest.raises(UnknownName, match="Did you mean 'budget'"):
        resolve({}, path, {})


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ({"budget": "many"}, "budget = 'many' in --budget should be a whole number"),
        ({"budget": "0"}, "too small: at least 1"),
        ({"kinds": "yes-no,chioce"}, "Did you mean 'choice'?"),
        ({"polarity": "good"}, "All: negative, positive"),
        ({"timeout": "soon"}, "should be a number"),
    ],
)
def test_a_bad_value_is_explained(flags, said):
    with pytest.raises(InputError) as caught:
        resolve(flags, None, {})
    assert said in str(caught.value)


def test_a_broken_file_is_named(tmp_path):
    path = tmp_path / "audit.toml"
    path.write_text("seed = = 3", "utf-8")
    with pytest.raises(InputError, match=r"audit\.toml is not TOML"):
        resolve({}, path, {})
