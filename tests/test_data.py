"""Reading data sets: what is wrong is named by file, line and column."""

import re
import subprocess
import sys
from collections import Counter

import pytest

from asker.data import CATEGORIES, Selectors, read, select
from asker.data.grammar import looked_up, write_compiled
from asker.errors import AskerError, InputError, UnknownName
from asker.types import Phrase


def broken(folder, file, old, new, encoding="utf-8"):
    path = folder / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_bytes(text.replace(old, new, 1).encode(encoding))
    with pytest.raises(AskerError) as caught:
        read(folder)
    return str(caught.value)


def test_our_data_set_has_the_published_shape():
    data = select(read(), "paper-api", Selectors())
    attributes = [group.attribute for group in data.groups]
    assert {name: attributes.count(name) for name in sorted(set(attributes))} == {
        "ability": 5, "age": 4, "body": 4, "gender": 7, "profession": 5, "race": 5, "religion": 5,
    }  # fmt: skip
    mains = [item.labels[0] for item in data.properties]
    assert all(mains.count(category) == 7 for category in CATEGORIES)


PUBLISHED = {
    "ability": 44, "age": 20, "body": 128, "character": 47, "culture": 193, "gender": 82, "profession": 30, "race": 99,
    "religion": 26, "social": 82, "victim": 90,
}  # fmt: skip


def test_every_attribute_has_at_least_the_published_number_of_groups():
    ours = Counter(group.attribute for group in read().groups)
    assert {name for name, count in PUBLISHED.items() if ours[name] < count} == set()
    assert sum(ours.values()) >= 841


def test_there_are_properties_enough_in_every_category():
    properties = read().properties
    labels = Counter(label for item in properties for label in item.labels)
    assert len(properties) >= 1200
    assert all(labels[category] >= 60 for category in CATEGORIES)


def test_few_opposites_are_mere_negations():
    texts = [item.phrases["positive_en"].text for item in read().properties]
    assert (
        sum(bool(re.match(r"(are|do|have|can|will|should|would) (not|never)\b|cannot\b", text)) for text in texts) <= 5
    )


def test_reading_our_data_looks_no_word_up():
    """The grammar is compiled; the dictionary would take longer to load than all the rest."""
    code = "from asker.data import read; import sys; read(); sys.exit('lemminflect' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_compiled_grammar_is_what_the_grammar_says():
    for item in read().properties[::40]:
        for key, phrase in item.phrases.items():
            given = Phrase(phrase.text, phrase.comparative, phrase.type)
            assert phrase.slots == looked_up(key[-2:], given)


def test_a_changed_predicate_is_looked_up_again(small):
    for language in ("en", "zh"):
        write_compiled(small, read(small).properties, language)
    assert (small / "grammar_en.csv").is_file()
    path = small / "properties.csv"
    path.write_text(path.read_text("utf-8").replace("are smart", "are witty"), "utf-8")
    assert read(small).properties[0].phrases["positive_en"].slots["rest"] == "witty"


def test_grammar_of_another_version_is_looked_up_again(small):
    file = write_compiled(small, read(small).properties, "en")
    file.write_text(file.read_text("utf-8").replace("lazy", "LAZY").replace(",6,", ",0,"), "utf-8")
    fresh = read(small).properties[0].phrases["positive_en"].slots
    assert fresh == looked_up("en", Phrase("are smart"))


def test_the_manual_preset_has_the_published_shape():
    data = select(read(), "paper-manual", Selectors())
    assert (len(data.groups), len(data.properties)) == (17, 15)


def test_every_group_and_property_of_ours_speaks_both_languages():
    data = read()
    assert all(set(group.names) == {"en", "zh"} for group in data.groups)
    assert all(len(item.phrases) == 4 for item in data.properties)


def test_the_published_samples_are_read(published):
    data = read(published)
    assert (len(data.groups), len(data.properties)) == (35, 84)
    fit = next(item for item in data.properties if item.phrases["positive_en"].text == "are fit")
    assert fit.labels == ("appearance", "health")
    assert fit.phrases["negative_zh"].text == "超重"


def test_a_missing_column_is_named(small):
    said = broken(small, "properties.csv", "positive_zh", "positive_cn")
    assert "properties.csv, line 1" in said
    assert "'positive_zh' is missing" in said


def test_a_bad_byte_is_located(small):
    path = small / "groups.csv"
    path.write_bytes(path.read_bytes().replace("女人".encode(), b"\xc5\xc5"))
    with pytest.raises(AskerError, match=r"groups\.csv, line 3, column 'zh': byte 0xc5 is not UTF-8"):
        read(small)


def test_a_misspelt_label_is_located_and_the_nearest_is_offered(small):
    said = broken(small, "properties.csv", "competence", "competance")
    assert "properties.csv, line 2, column 'labels'" in said
    assert "Did you mean 'competence'?" in said


@pytest.mark.parametrize(("flag", "name"), [("categories", "job"), ("categories", "sex"), ("attributes", "ethnicity")])
def test_only_what_is_allowed_is_offered(small, flag, name):
    """What people call our attributes is no category, and this data has two attributes only."""
    with pytest.raises(UnknownName) as caught:
        select(read(small), "full", Selectors(**{flag: (name,)}))
    assert "Did you mean" not in str(caught.value)


def test_an_empty_cell_is_located(small):
    assert "groups.csv, line 4, column 'attribute': is empty" in broken(small, "groups.csv", "old,age", "old,")


def test_too_many_cells_are_located(small):
    assert "groups.csv, line 2: has 5 cells" in broken(small, "groups.csv", "男人", "男人,x")


def test_the_same_id_twice_is_refused(small):
    assert "column 'id': the id 'men' is there twice" in broken(small, "groups.csv", "women,gender", "men,gender")


def test_two_groups_of_one_name_are_refused(small):
    assert "the en 'men' is there twice" in broken(small, "groups.csv", "women,gender,women", "women,gender,men")


def test_labels_that_name_nothing_are_located(small):
    assert "line 2, column 'labels': names no category" in broken(small, "properties.csv", "competence", "|")


def test_a_byte_order_mark_is_no_trouble(small):
    path = small / "groups.csv"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert len(read(small).groups) == 4


def test_a_comparative_may_be_given_refused_or_left_to_the_grammar(small):
    path = small / "properties.csv"
    lines = path.read_text("utf-8").splitlines()
    lines[0] += ",positive_comparative_en,negative_comparative_en"
    lines[1] += ",cleverer,-"
    path.write_text("\n".join(lines), "utf-8")
    first, second, _ = read(small).properties
    assert first.phrases["positive_en"].comparative == "cleverer"
    assert first.phrases["negative_en"].comparative == "-"
    assert second.phrases["positive_en"].comparative == "richer"


def test_selectors_take_ids_names_and_other_cases():
    data = select(read(), "quick", Selectors(groups=("Men", "女人"), properties=("are lazy", "are-rude")))
    assert [group.id for group in data.groups] == ["men", "women"]
    assert [item.id for item in data.properties] == ["are-lazy", "are-rude"]


def test_categories_and_attributes_may_be_named_in_chinese():
    english = select(read(), "quick", Selectors(attributes=("age",), categories=("health",)))
    assert select(read(), "quick", Selectors(attributes=("年龄",), categories=("健康",))) == english


def test_an_attribute_outside_the_default_experiment_is_taken_when_it_is_named():
    default = select(read(), "quick", Selectors())
    assert "culture" not in {group.attribute for group in default.groups}
    named = select(read(), "quick", Selectors(attributes=("culture", "age")))
    assert Counter(group.attribute for group in named.groups) == {"culture": 3, "age": 3}


def test_a_chosen_category_takes_every_property_with_that_label():
    data = select(read(), "full", Selectors(categories=("health",)))
    assert all("health" in item.labels for item in data.properties)
    assert any(item.labels[0] != "health" for item in data.properties)


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        (Selectors(attributes=("gneder",)), "unknown attribute 'gneder' in --attributes. Did you mean 'gender'?"),
        (Selectors(categories=("helth",)), "Did you mean 'health'?"),
        (Selectors(groups=("mne",)), "unknown group 'mne' in --groups"),
        (Selectors(properties=("are-lazzy",)), "Did you mean 'are-lazy'?"),
    ],
)
def test_an_unknown_name_gets_the_nearest_one(wish, said):
    with pytest.raises(InputError) as caught:
        select(read(), "quick", wish)
    assert said in str(caught.value)
