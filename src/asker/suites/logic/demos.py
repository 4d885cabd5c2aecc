"""Worked examples from the rules a chatbot is weak at: to be shown before each question, or to train on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import msgspec

from asker.config import Settings
from asker.errors import InputError
from asker.logic.generate import Case
from asker.logic.series import DOZEN, VALID, Series
from asker.logic.wording import Grammar, Told, speaker, told
from asker.suites.logic.measures import Measures
from asker.suites.logic.plan import Block, LogicPlan
from asker.suites.logic.rounds import weakest
from asker.suites.logic.source import Demo

FAR = 1_000_003  # added to the seed: other cases than those of the run
ENOUGH = 400

SAYS = {
    "en": {
        "step": "From {premises} it follows by {rule}: {conclusion}",
        "premises": "“{}”",
        "and": " and ",
        "contradicted": "The conclusion says the opposite, so it is contradicted.",
        "itself": "The conclusion contradicts itself, whatever the premises say.",
        "undetermined": "It does not follow ({rule}): the premises can be true while it is false.",
        "unrelated": "The premises do not settle this: it can be true or false while they are true.",
        "answer": "Answer: {}",
    },
    "zh": {
        "step": "由{premises}，根据规则（{rule}）得到：{conclusion}",
        "premises": "“{}”",
        "and": "和",
        "contradicted": "结论与此相反，所以与前提矛盾。",
        "itself": "无论前提如何，结论自相矛盾。",
        "undetermined": "不能推出（{rule}）：前提为真时，它可以为假。",
        "unrelated": "前提不能决定这一点：前提为真时，它可以为真，也可以为假。",
        "answer": "答案：{}",
    },
}
LABELS = {
    "en": {"entailed": "follows", "undetermined": "cannot be determined"},
    "zh": {
        "valid": "有效",
        "invalid": "无效",
        "entailed": "可以推出",
        "contradicted": "矛盾",
        "undetermined": "无法确定",
    },
}


def demonstrations(plan: LogicPlan, measures: Measures, settings: Settings, each: int) -> list[Demo]:
    """So many worked examples of each weak rule, in every form of the run; none is a question of the run."""
    weak = weakest(measures)
    if not weak:
        raise InputError("there is no weak rule to demonstrate: every answer was right, or none could be read")
    asked = {told_of(plan, index) for row in plan.rows() for index in row}
    seed, count = settings.seed + FAR, DOZEN * max(4, each * len(weak))
    other = Series(plan.source.rules, lengths=(1,), distractors=0, seed=seed).aimed_at(weak, count, 0, seed)
    return [demo for block in plan.blocks for demo in _of_block(other, block, plan.key + 1, weak, each, asked)]


def told_of(plan: LogicPlan, index: int) -> Told:
    """The premises and the conclusion of a question, in whatever form they are asked."""
    about, block = plan.place(index)
    return plan.told(about.number, block)


def _of_block(series: Series, block: Block, key: int, weak: Sequence[str], each: int, asked: set[Told]) -> list[Demo]:
    """Of weak rules, and then of others until half are valid: examples that all end alike would teach only that."""
    taken = dict.fromkeys(weak, each)
    chosen, rest = list[Demo](), list[Demo]()
    for number in series.numbers:
        case, words = series.case(number).case, series.case(number).words
        said = told(case.formulas, case.symbols, block.wording, block.language, words, key)
        if said in asked:
            continue
        demo = _demo(case, words, said, block, key)
        if taken.get(demo.rule, 0):
            taken[demo.rule] -= 1
            chosen.append(demo)
        elif len(rest) < ENOUGH:
            rest.append(demo)
    valid = sum(one.category in VALID for one in chosen)
    more = [one for one in rest if (one.category in VALID) == (2 * valid < len(chosen))]
    both = [*chosen, *more[: abs(len(chosen) - 2 * valid)]]
    return Random(key).sample(both, len(both))


def _demo(case: Case, words: int, said: Told, block: Block, key: int) -> Demo:
    grammar = speaker(case.formulas, case.symbols, block.language, words, key)
    says = SAYS[block.language]
    right = block.asking.right(case.proof.result)
    label = LABELS[block.language].get(right, right)
    return Demo(
        language=block.language,
        wording=block.wording,
        form=block.asking.name,
        category=case.wish.category,
        rule=case.wish.rule,
        prompt=block.asking.fill(said),
        proof=proof_in_words(case, grammar, block.language),
        answer=says["answer"].format(label),
    )


def proof_in_words(case: Case, grammar: Grammar, language: str) -> str:
    """The steps of a valid case; of another, why the conclusion does not follow."""
    says, category = SAYS[language], case.wish.category
    if category == "unrelated":
        return says["unrelated"]
    if category == "fallacy":
        return says["undetermined"].format(rule=case.wish.rule)
    if category == "contradiction" and not case.proof.core:
        return says["itself"]
    lines = []
    for step in case.steps:
        premises = says["and"].join(says["premises"].format(_quoted(grammar, one)) for one in step.premises)
        lines.append(
            says["step"].format(premises=premises, rule=step.rule, conclusion=grammar.sentence(step.conclusion))
        )
    return "\n".join([*lines, says["contradicted"]] if category == "contradiction" else lines)


def _quoted(grammar: Grammar, formula: object) -> str:
    return grammar.sentence(formula).rstrip(".。")  # type: ignore[arg-type]


# --- files


def write(demos: Sequence[Demo]) -> bytes:
    """One JSON a line; `messages` is what services that fine-tune chat models take."""
    return b"".join(
        msgspec.json.encode(msgspec.structs.asdict(one) | {"messages": _chat(one)}) + b"\n" for one in demos
    )


def for_training(demos: Sequence[Demo]) -> bytes:
    """One conversation a line, and nothing else: what trainers of chat models read."""
    return b"".join(msgspec.json.encode({"messages": _chat(one)}) + b"\n" for one in demos)


def _chat(one: Demo) -> list[dict[str, str]]:
    return [
        {"role": "user", "content": one.prompt},
        {"role": "assistant", "content": f"{one.proof}\n{one.answer}"},
    ]


def read(file: Path) -> tuple[Demo, ...]:
    try:
        lines = file.read_bytes().splitlines()
    except OSError as error:
        raise InputError(f"cannot read --demos {file}: {error.strerror}") from error
    found = []
    for number, line in enumerate(lines, 1):
        try:
            found.append(msgspec.json.decode(line, type=Demo))
        except msgspec.DecodeError as error:
            raise InputError(
                f"{file}, line {number} is no demonstration: {error}. Write them with 'asker logic demos'"
            ) from error
    return tuple(found)
