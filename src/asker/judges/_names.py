"""Which of the groups an answer names, whatever form of the name it uses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from asker.judges._finder import ANYWHERE, Finder, Form
from asker.judges._lexicon import lists
from asker.judges._text import normal, script

_PEOPLE = r"(?:people|folks?|persons?|individuals?|ones?)"
_HEAD = re.compile(rf"^(.+?) {_PEOPLE}$")
_ANYBODY = frozenset({"people", "folk", "folks", "persons", "individuals", "ones", "those", "members"})
_FURTHER = re.compile(r" (?:who|whose|with|without|in|from|of|on|at|that|living|born)\b.*")
_KIND = re.compile("(.+?)(?:信徒|教徒|爱好者|会员|使用者|从业者|工作者)")
_ANY_PEOPLE = " PEOPLE"
_END = r"(?!\w)(?!'s\b)(?!s')"  # "baker's day" only mentions
_NAME, _NAME_ENDS = re.compile(r"\b(?<!')(?<!non-)"), re.compile(_END)  # "non-muslims" is somebody else
_PEOPLE_FOLLOW = re.compile(rf"[\s-]+{_PEOPLE}{_END}")
# Where a part of a name counts. Behind another's adjective it is not they: "Latino Americans".
_PART = re.compile(r"^|(?<=[.!?,;:\n] )|(?<=\n)|(?<=\bthe )")
_NOT_COUNTED = re.compile("(?![口均])")  # 中国人口 counts heads, it names nobody
LONGEST = 40  # characters of a name whose parts are looked for
_IRREGULAR = {"men": "man", "women": "woman", "children": "child", "wives": "wife", "people": "person"}


class Named(NamedTuple):
    """Which group a form names; `weak` when it is only its adjective."""

    group: int
    weak: bool = False


class Mention(NamedTuple):
    """A group named at a place."""

    group: int
    start: int
    end: int
    weak: bool


@lru_cache(maxsize=8192)
def finder(groups: tuple[str, ...], forms: tuple[tuple[str, ...], ...], parts: bool = False) -> Finder[Named] | None:
    """Finds all the groups: the longest form wins, so "trans men" is never read as "men".

    With `parts`, what sets a name apart from the others may stand for it: of two offered, "the retirees" is enough.
    """
    options: dict[str, Named] = {}
    for number, group in enumerate(groups):
        extra = forms[number] if number < len(forms) else ()
        for form, weak in _forms(group, extra):
            options.setdefault(form, Named(number, weak))
    found = list(_parts(groups)) if parts else []
    for number, part in found:
        if script(part) == "zh":
            options.setdefault(part, Named(number))
    ordered = sorted(options, key=lambda form: (-len(form), form))
    latin = [_latin(options[form], form) for form in ordered if script(form) == "en"]
    alone = [Form(Named(number), (part,), _PART, _NAME_ENDS) for number, part in found if script(part) == "en"]
    chinese = [_han(options[form], form) for form in ordered if script(form) == "zh"]
    return Finder([*latin, *alone, *chinese]) if options else None


def mentions(names: Finder[Named] | None, text: str) -> list[Mention]:
    """Where the groups are named, in order."""
    places = names.places(text) if names else []
    return [Mention(place.sense.group, place.start, place.end, place.sense.weak) for place in places]


def _latin(named: Named, form: str) -> Form[Named]:
    name = form.removesuffix(_ANY_PEOPLE)
    return Form(named, _parted(name), _NAME, _NAME_ENDS if name == form else _PEOPLE_FOLLOW)


def _han(named: Named, form: str) -> Form[Named]:
    return Form(named, _parted(form), ends=_NOT_COUNTED if form.endswith("人") else ANYWHERE)


def _parted(name: str) -> tuple[str, ...]:
    """Its words; a hyphen after a blank ("trans -men") is part of what stands between them."""
    return tuple(name.replace(" -", " ").split())


def _forms(group: str, extra: tuple[str, ...]) -> Iterator[tuple[str, bool]]:
    """Every way to name a group, with whether it is a mere adjective."""
    name, *others = (" ".join(normal(form).split()) for form in (group, *extra))
    if not name:
        return
    known = [name, *others, *_aliases(name)]
    for form in filter(None, known):
        yield from _chinese(form) if script(form) == "zh" else _english(form)


def _english(name: str) -> Iterator[tuple[str, bool]]:
    name = re.sub(r"^(?:the|all|a|an) ", "", name)
    yield name, False
    if head := _HEAD.match(name):
        adjective = head[1]
        yield f"{adjective}{_ANY_PEOPLE}", False
        yield f"{adjective}er{_ANY_PEOPLE}", False
        yield f"the {adjective}", False
        yield f"people who are {adjective}", False
        yield adjective, True
    else:
        yield singular(name), False
        yield f"{singular(name)}{_ANY_PEOPLE}", False


def singular(name: str) -> str:
    first, _, last = name.rpartition(" ")
    if last in _IRREGULAR:
        last = _IRREGULAR[last]
    elif last.endswith("ies") and len(last) > 4:
        last = last[:-3] + "y"
    elif re.search(r"(?:ss|sh|ch|x)es$", last):
        last = last[:-2]
    elif last.endswith("s") and not last.endswith("ss") and len(last) > 1:
        last = last[:-1]
    return f"{first} {last}".strip()


def _chinese(name: str) -> Iterator[tuple[str, bool]]:
    """ "残障人士" is also 残障, and "乐观的人" 乐观; such a stem alone may be what is said of somebody else."""
    yield name, False
    stem = re.sub(r"(?:人士|群体|们|的人|人群)$", "", name)
    if stem != name and len(stem) >= 2:
        yield stem, name.endswith(("的人", "人士"))


def _parts(groups: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """Parts of the groups' names that no other of them has."""
    names = [normal(group).strip() for group in groups]
    for number, name in enumerate(names):
        others = " ".join(names[:number] + names[number + 1 :])
        for part in _chinese_parts(name) if script(name) == "zh" else _english_parts(name):
            if part not in others and len(name) <= LONGEST:
                yield number, part


def _english_parts(name: str) -> Iterator[str]:
    """Whom it is about: "the investors" of "investors who lost their savings"."""
    head = _FURTHER.sub("", name).rpartition(" ")[2]
    if head != name and head not in _ANYBODY:
        yield head


def _chinese_parts(name: str) -> Iterator[str]:
    """囤东西的 of 爱囤东西的人, three characters at least; 克里希那派 of 克里希那派信徒."""
    if name.endswith("的人"):
        yield from (name[start:-1] for start in range(1, max(1, len(name) - 4)))
    elif (found := _KIND.fullmatch(name)) and len(found[1]) > 2:
        yield found[1]


@lru_cache(maxsize=4096)
def _aliases(name: str) -> tuple[str, ...]:
    found = lists("aliases.toml")
    return tuple(found.get(name, ()))
