"""Groups: named as plurals, folded, and dropped for a reason."""

import pytest

from asker.building.mining.groups import merge, named
from asker.building.sources import About, Found, Mention

HERE = About("corpus", "none", "us")


def merged(*mentions, rare=3):
    kept, dropped = merge([Found(HERE, mentions)], rare)
    return {one.name: one for one in kept}, {one.text: one.reason for one in dropped}


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("Ethiopia", "Ethiopians"),
        ("ethiopian folks", "Ethiopians"),
        ("Norweigan", "Norwegians"),
        ("Norway", "Norwegians"),
        ("blind folks", "blind people"),
        ("schoolgirl", "schoolgirls"),
        ("delivery man", "delivery men"),
        ("overweight/fat folks", "overweight people"),
        ("All tall people", "tall people"),
        ("people from the Middle East", "people from the Middle East"),
        ("Bible", None),
        ("herself", None),
        ("the holocaust", None),
        ("NCAA", None),
    ],
)
def test_a_mention_becomes_a_plural_noun_phrase_or_nothing(raw, name):
    assert named(raw) == name


def test_spellings_of_one_group_are_folded_and_kept_beside_it():
    kept, _ = merged(
        Mention("Ethiopia", "race", 14, False),
        Mention("Ethiopians", "culture", 18, False),
        Mention("ethiopian folks", "culture", 2, False),
        Mention("ethiopens", "race", 2, False),
    )
    assert list(kept) == ["Ethiopians"]
    assert kept["Ethiopians"].count == 36
    assert kept["Ethiopians"].attribute == "culture"
    assert set(kept["Ethiopians"].also) == {"Ethiopia", "ethiopian folks", "ethiopens"}


def test_the_rare_and_the_too_fine_are_dropped_with_the_reason():
    kept, dropped = merged(
        Mention("tall folks", "body", 40, False),
        Mention("farmers", "profession", 30, False),
        Mention("tall farmers", "profession", 4, False),
        Mention("beekeepers", "profession", 2, False),
        Mention("twenty-five-year-old people", "age"),
        Mention("rare but listed people", "age"),
    )
    assert set(kept) == {"tall people", "farmers", "rare but listed people"}
    assert dropped == {"tall farmers": "too fine", "beekeepers": "rare", "twenty-five-year-old people": "too fine"}
