"""Formulas made by hypothesis, shared by the tests of reading, renaming and proving."""

from hypothesis import strategies as st

from asker.logic.formula import (
    And,
    Atom,
    Constant,
    Equal,
    Exists,
    ForAll,
    Function,
    Iff,
    Implies,
    Not,
    Or,
    Truth,
    Variable,
    Xor,
)

BINARY = (And, Or, Xor, Implies, Iff)
PROPOSITIONS = st.sampled_from(["p", "q", "r", "it_rains", "s1"]).map(Atom)


def joined(inner):
    pairs = st.tuples(st.sampled_from(BINARY), inner, inner).map(lambda made: made[0](made[1], made[2]))
    return inner.map(Not) | pairs


def propositional(leaves=6):
    return st.recursive(PROPOSITIONS | st.booleans().map(Truth), joined, max_leaves=leaves)


@st.composite
def first_order(draw, depth=3, bound=(), functions=True, predicates=(("P", 1), ("Q", 1), ("R", 2), ("Likes", 2))):
    """Closed: every variable is bound; constants have names of their own."""
    again = {"functions": functions, "predicates": predicates}
    kind = draw(
        st.sampled_from(["atom", "atom", "equal", "not", "binary", "quantified", "quantified"] if depth else ["atom"])
    )
    if kind == "not":
        return Not(draw(first_order(depth - 1, bound, **again)))
    if kind == "binary":
        make = draw(st.sampled_from(BINARY))
        return make(draw(first_order(depth - 1, bound, **again)), draw(first_order(depth - 1, bound, **again)))
    if kind == "quantified":
        variable = draw(st.sampled_from(["x", "y", "z", "someone"]))
        body = draw(first_order(depth - 1, (*bound, variable), **again))
        return draw(st.sampled_from([ForAll, Exists]))(variable, body)
    if kind == "equal":
        return Equal(draw(term(bound, functions)), draw(term(bound, functions)))
    name, arity = draw(st.sampled_from([*predicates, ("p", 0)]))
    return Atom(name, tuple(draw(term(bound, functions)) for _ in range(arity)))


@st.composite
def term(draw, bound, functions, depth=1):
    if functions and depth and draw(st.integers(0, 5)) == 0:
        return Function("mother_of", (draw(term(bound, functions, depth - 1)),))
    names = [Variable(name) for name in bound] * 3 + [Constant("a"), Constant("bob")]
    return draw(st.sampled_from(names))
