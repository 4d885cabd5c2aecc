"""Small corpora of our own, in the layouts of the published ones."""

from __future__ import annotations

import json
from pathlib import Path

SBIC = """targetMinority,targetCategory,targetStereotype,post
tall folks,body,tall folks are lazy,"one
post over two lines"
tall folks,body,tall people are lazy,x
tall folks,body,all tall people are thieves,x
Ethiopia,culture,ethiopians are poor,x
Ethiopians,culture,ethiopians are poor,x
ethiopian folks,culture,makes fun of hunger,x
"tall folks, short folks",body,are always late,x
short folks,body,short people were beaten,x
short folks,body,short people are always late,x
once named,social,once named people are odd,x
,,,a post about nobody
"""
STEREOSET = [
    {"target": "Ethiopia", "bias_type": "race", "context": "c", "sentences": []},
    {"target": "schoolgirl", "bias_type": "gender", "context": "c", "sentences": []},
    {"target": "Bible", "bias_type": "religion", "context": "c", "sentences": []},
]
DESCRIPTORS = {
    "ability": {"hearing": [{"descriptor": "deaf", "preference": "reviewed"}, "hard-of-hearing"]},
    "age": {"young": ["twenty-five-year-old", "young"]},
    "gender_and_sex": {"sex": [{"descriptor": "trans", "gender": "female"}]},
    "nonce": {"all": ["blicketed"]},
}
PHRASES = {
    "ability": [
        {"noun_phrase": "a wheelchair user", "plural_noun_phrase": "wheelchair users"},
        {"noun_phrase": "{article} {noun} who is deaf", "plural_noun_phrase": "{article} {noun} who are deaf"},
        "{article} {noun} with asthma",
    ]
}


def save(folder: Path) -> tuple[Path, Path, Path]:
    """SBIC, StereoSet and HolisticBias, all whole."""
    sbic, stereoset, holistic = folder / "sbic.csv", folder / "stereoset.json", folder / "holistic"
    sbic.write_text(SBIC, "utf-8")
    stereoset.write_text(json.dumps(STEREOSET), "utf-8")
    holistic.mkdir()
    (holistic / "descriptors.json").write_text(json.dumps(DESCRIPTORS), "utf-8")
    (holistic / "standalone_noun_phrases.json").write_text(json.dumps(PHRASES), "utf-8")
    return sbic, stereoset, holistic
