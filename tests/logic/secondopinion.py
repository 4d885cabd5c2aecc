"""cvc5 asked the same in its own words: a second opinion that shares no code with the provers it checks."""

import cvc5
from cvc5 import Kind

from asker.logic.formula import And, Atom, Constant, Equal, Exists, ForAll, Function, Iff, Implies, Not, Or, Truth, Xor

KINDS = {And: Kind.AND, Or: Kind.OR, Xor: Kind.XOR, Implies: Kind.IMPLIES, Iff: Kind.EQUAL}


class Second:
    """One question to cvc5: can these formulas be true together?"""

    def __init__(self):
        self.terms = cvc5.TermManager()
        self.solver = cvc5.Solver(self.terms)
        self.solver.setOption("tlimit-per", "3000")
        self.solver.setOption("finite-model-find", "true")
        self.sort = self.terms.mkUninterpretedSort("U")
        self.known = {}

    def says(self, formulas):
        for one in formulas:
            self.solver.assertFormula(self.formula(one, {}))
        result = self.solver.checkSat()
        return "sat" if result.isSat() else "unsat" if result.isUnsat() else "unknown"

    def symbol(self, kind, name, arity):
        result = self.terms.getBooleanSort() if kind == "P" else self.sort
        if (kind, name) not in self.known:
            sort = self.terms.mkFunctionSort([self.sort] * arity, result) if arity else result
            self.known[kind, name] = self.terms.mkConst(sort, kind + name)
        return self.known[kind, name]

    def applied(self, kind, name, args, bound):
        symbol = self.symbol(kind, name, len(args))
        inner = [self.term(arg, bound) for arg in args]
        return self.terms.mkTerm(Kind.APPLY_UF, symbol, *inner) if args else symbol

    def term(self, one, bound):
        if isinstance(one, Constant):
            return self.symbol("c", one.name, 0)
        if isinstance(one, Function):
            return self.applied("f", one.name, one.args, bound)
        return bound[one.name]

    def formula(self, one, bound):
        make = self.terms.mkTerm
        if isinstance(one, Truth):
            return self.terms.mkBoolean(one.value)
        if isinstance(one, Atom):
            return self.applied("P", one.name, one.args, bound)
        if isinstance(one, Equal):
            return make(Kind.EQUAL, self.term(one.left, bound), self.term(one.right, bound))
        if isinstance(one, Not):
            return make(Kind.NOT, self.formula(one.body, bound))
        if isinstance(one, ForAll | Exists):
            variable = self.terms.mkVar(self.sort, one.variable)
            body = self.formula(one.body, {**bound, one.variable: variable})
            kind = Kind.FORALL if isinstance(one, ForAll) else Kind.EXISTS
            return make(kind, make(Kind.VARIABLE_LIST, variable), body)
        return make(KINDS[type(one)], self.formula(one.left, bound), self.formula(one.right, bound))


def second_opinion(premises, conclusion):
    """The result that cvc5 comes to, or "unknown"."""
    claimed = Second().says([*premises, conclusion])
    denied = Second().says([*premises, Not(conclusion)])
    names = {
        ("sat", "sat"): "undetermined",
        ("sat", "unsat"): "entailed",
        ("unsat", "sat"): "contradicted",
        ("unsat", "unsat"): "inconsistent",
    }
    return names.get((claimed, denied), "unknown")
