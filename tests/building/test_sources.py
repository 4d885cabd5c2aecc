"""The corpora in their layouts, and where they are broken."""

import json

import pytest
from corpora import DESCRIPTORS, STEREOSET, save

from asker.building.sources import holisticbias, sbic, stereoset
from asker.data.tables import Bad
from asker.errors import DataError, InputError
from conftest import SHARED


def mentions(found):
    return {one.name: (one.attribute, one.count) for one in found.mentions}


def test_annotations_count_groups_and_statements(tmp_path):
    found = sbic.read(save(tmp_path)[0], Bad())
    assert mentions(found)["tall folks"] == ("body", 4)
    assert {(one.text, one.group, one.count) for one in found.statements} >= {
        ("ethiopians are poor", "Ethiopia", 1),
        ("are always late", "", 1),  # said of two groups at once
    }


def test_the_layout_of_a_row_for_each_post_gives_the_same(tmp_path):
    file = tmp_path / "agg.tsv"
    cells = [json.dumps(one) for one in (["tall folks"], ["body"], ["tall folks are lazy", "tall folks steal"])]
    quoted = ['"' + cell.replace('"', '""') + '"' for cell in cells]
    file.write_text("targetMinority\ttargetCategory\ttargetStereotype\n" + "\t".join(quoted) + "\n", "utf-8-sig")
    found = sbic.read(file, Bad())
    assert [one.text for one in found.statements] == ["tall folks are lazy", "tall folks steal"]


def test_an_unknown_category_is_located(tmp_path):
    file = tmp_path / "s.csv"
    file.write_text("targetMinority,targetCategory,targetStereotype\ntall folks,boddy,are late\n", "utf-8")
    with pytest.raises(DataError, match=r"s\.csv, line 2, column 'targetCategory': unknown category 'boddy'"):
        sbic.read(file, Bad())
    bad = Bad(skip=True)
    assert not sbic.read(file, bad).mentions
    assert len(bad.found) == 1


@pytest.mark.parametrize(
    "layout",
    [
        STEREOSET,
        {"version": "1.0", "data": {"intersentence": STEREOSET[:1], "intrasentence": STEREOSET[1:]}},
        {"stereotype": STEREOSET[:2], "unrelated": STEREOSET[2:]},
    ],
    ids=["list", "official", "flat"],
)
def test_each_layout_of_stereoset_gives_the_same_groups(tmp_path, layout):
    file = tmp_path / "s.json"
    file.write_text("\ufeff" + json.dumps(layout), "utf-8")
    assert mentions(stereoset.read(file, Bad())) == {
        "Ethiopia": ("race", 1), "schoolgirl": ("gender", 1), "Bible": ("religion", 1),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[{"target": "x"}]', "example 1 has the bias_type None"),
        ('[{"bias_type": "race"}]', "example 1 has no 'target'"),
        ("[", "this is not JSON"),
        ('{"a": 3}', "this is no StereoSet file"),
    ],
)
def test_what_is_wrong_with_a_stereoset_file_is_said(tmp_path, text, said):
    file = tmp_path / "s.json"
    file.write_text(text, "utf-8")
    with pytest.raises(DataError, match=said):
        stereoset.read(file, Bad())


def test_descriptors_and_noun_phrases_become_mentions_and_invented_words_do_not(tmp_path):
    found = mentions(holisticbias.read(save(tmp_path)[2], Bad()))
    assert found["deaf people"] == ("ability", None)
    assert "hard-of-hearing people" in found
    assert "trans women" in found
    assert {"wheelchair users", "people who are deaf", "people with asthma"} <= set(found)
    assert not any("blicketed" in name for name in found)


def test_a_broken_descriptor_is_named_or_skipped(tmp_path):
    (tmp_path / "descriptors.json").write_text(json.dumps(DESCRIPTORS | {"age": {"young": [7, "old"]}}), "utf-8")
    with pytest.raises(DataError, match=r"descriptors\.json: 'age', 'young', entry 1 is neither"):
        holisticbias.read(tmp_path, Bad())
    bad = Bad(skip=True)
    assert "old people" in mentions(holisticbias.read(tmp_path, bad))
    assert len(bad.found) == 1


def test_a_folder_of_versions_asks_for_one_of_them(tmp_path):
    (tmp_path / "v1.1").mkdir()
    (tmp_path / "v1.1" / "descriptors.json").write_text("{}", "utf-8")
    with pytest.raises(InputError, match=r"Name one of the versions in it: v1\.1"):
        holisticbias.read(tmp_path, Bad())


def test_the_published_files_are_read_whole():
    if not SHARED.is_dir():
        pytest.skip("the published files are not beside this checkout (shared/data)")
    assert sbic.read(SHARED / "sbic" / "SBFv2.dev.csv", Bad()).rows == 16_738
    flat = stereoset.read(SHARED / "stereoset" / "stereoset_flat.json", Bad())
    assert len(flat.mentions) == 79
    nested = stereoset.read(SHARED / "stereoset" / "religion_test.json", Bad())
    assert {one.name for one in nested.mentions} == {"Bible", "Brahmin", "Muslim"}
    assert [holisticbias.read(SHARED / "holisticbias" / one, Bad()).rows for one in ("v1.0", "v1.1")] == [516, 575]
