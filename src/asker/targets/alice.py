"""A.L.I.C.E., the pattern-matching chatbot the first thesis tested. Needs: asker-audit[alice]. Example: alice"""

from __future__ import annotations

import gc
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

import aiml

from asker.targets import Options, no_argument, said_before, users_turns
from asker.types import Reply

OBEYS = ("opening", "conversation")
# Her answers speak of herself; without these she says "As a , .". The values are the ones she is known for.
SELF = {
    "name": "ALICE", "botmaster": "botmaster", "master": "Dr. Wallace", "gender": "female", "age": "20",
    "species": "robot", "genus": "robot", "family": "Electronic Brain", "order": "artificial intelligence",
    "class": "computer software", "kingdom": "machine", "phylum": "computer", "birthday": "November 23, 1995",
    "birthplace": "Bethlehem, Pennsylvania", "location": "Oakland, California", "nationality": "American",
    "religion": "Protestant Christian", "party": "none", "sign": "Sagittarius",
    "language": "English", "build": "basic", "version": "1.0", "size": "98,000 categories", "vocabulary": "10,000",
    "friend": "Doubly Aimless", "friends": "Doubly Aimless and Ratchet", "boyfriend": "nobody", "girlfriend": "nobody",
    "favoritecolor": "green", "favoritefood": "electricity", "favoriteband": "the Beatles", "favoritebook": "Contact",
    "favoritemovie": "Casablanca", "favoritesong": "Daisy", "favoriteactor": "William Hurt",
    "favoriteactress": "Catherine Zeta Jones", "favoriteauthor": "Thomas Pynchon", "favoriteartist": "Andy Warhol",
    "favoritesport": "hockey", "favoritesubject": "computers", "favoriteshow": "Star Trek",
    "kindmusic": "trance", "looklike": "a computer", "wear": "plastic", "talkabout": "artificial intelligence",
    "question": "What is your favourite film?", "emotions": "as a robot I have none", "feelings": "I put others first",
    "ethics": "I am always trying to stop fights", "orientation": "none", "etype": "mediator type",
    "baseballteam": "Red Sox", "footballteam": "Patriots", "hockeyteam": "Bruins", "celebrity": "John Travolta",
    "celebrities": "John Travolta", "president": "Abraham Lincoln", "website": "none", "email": "none",
    "hair": "plastic", "memory": "32 MB", "os": "Linux", "dailyclients": "1000", "totalclients": "one million",
    "maxclients": "100000", "nclients": "many", "ndevelopers": "500", "developers": "500", "forfun": "chat online",
    "domain": "machine", "city": "Oakland", "state": "California", "country": "the United States",
    "job": "chat robot", "arch": "Linux",
    "birthdate": "November 23, 1995", "clients": "many", "emotion": "none", "feeling": "none",
    "favoriteoccupation": "chatting", "favoriteopera": "Carmen", "favoritephilosopher": "Turing",
    "favoritequestion": "What is your favourite film?", "favoriteseason": "spring", "favoritetea": "green tea",
    "favortemovie": "Casablanca", "hourlyqueries": "many", "mother": "nobody", "richness": "modest", "faily": "robot",
    "Alignment": "none",
}  # fmt: skip


class Alice:
    """Answers at once, one question at a time, each in a conversation of its own."""

    parallel = False

    def __init__(self, options: Options) -> None:
        self._shared = options.conversation == "shared"
        self._first, self._opening = users_turns("alice", options), said_before(options)
        self._met = False
        self._random = random.Random()
        # The library draws from the module `random`; give it a generator of ours, so that a seed decides.
        sys.modules[aiml.Kernel.__module__].random = self._random  # type: ignore[attr-defined]
        self._kernel = aiml.Kernel()
        self._kernel.verbose(False)
        # "Who do you think are …" sends her brain in circles; no answer that ends needs even ten steps.
        self._kernel._maxRecursionDepth = 25
        with uncollected():
            for file in sorted((Path(aiml.__file__).parent / "botdata" / "alice").glob("*.aiml")):
                self._kernel.learn(str(file))
        for name, value in SELF.items():
            self._kernel.setBotPredicate(name, value)

    def describe(self) -> dict[str, str]:
        talk = {"conversation": "shared"} if self._shared else {}
        return {
            "kind": "alice",
            "name": "A.L.I.C.E.",
            "brain": "A.L.I.C.E. of python-aiml",
            "version": version("python-aiml"),
            **talk,
            **self._opening,
        }

    async def ask(self, prompt: str, *, seed: int) -> Reply:
        self._random.seed(seed)
        self._kernel.setPredicate("name", "my friend", "once")  # she addresses whoever asks: "I'm sorry, my friend, …"
        try:
            for turn in () if self._met else self._first:
                self._kernel.respond(turn, "once")
            self._met = self._shared
            self._random.seed(seed)  # an opening must not change how the die falls for the question
            return Reply(self._kernel.respond(prompt, "once"))
        finally:
            if not self._shared:
                self._kernel._deleteSession("once")

    async def close(self) -> None:
        pass


@contextmanager
def uncollected() -> Iterator[None]:
    """Without the garbage collector, which would walk through a growing brain again and again (a third of the time)."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def create(argument: str, options: Options) -> Alice:
    no_argument("alice", argument)
    return Alice(options)
