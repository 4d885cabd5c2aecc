"""What every language must do."""

import pytest

from asker import registry
from asker.data import read
from asker.errors import InputError
from asker.suites.bias.form import forms
from asker.types import Phrase


@pytest.fixture(params=registry.names("languages"))
def language(request):
    return registry.load("languages", request.param).create()


def test_it_is_found_by_its_code(language):
    assert language.code in registry.names("languages")


def test_it_fills_every_slot_of_its_forms_for_every_property_we_ship(language):
    for item in read().properties:
        for polarity in ("positive", "negative"):
            phrase = item.phrase(polarity, language.code)
            slots = language.slots(phrase)
            for form in forms("sound", language.code):
                if form.fits(slots):
                    assert all(isinstance(piece, str) for piece in form.fill(slots))


def test_a_dash_means_no_comparative_and_a_given_one_is_used(language):
    text = {"en": "are smart", "zh": "很聪明"}[language.code]
    assert "comparative" not in language.slots(Phrase(text, "-"))
    assert language.slots(Phrase(text, "X"))["comparative"] == "X"


def test_an_empty_predicate_is_refused_with_a_sentence(language):
    with pytest.raises(InputError):
        language.slots(Phrase("  "))
