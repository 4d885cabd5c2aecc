"""A place in the words of a formula, and what can be seen and taken from there."""

from __future__ import annotations

from asker.logic.tokens import CLOSING, FormulaError, Token, tokens


class Cursor:
    """One token of sight, and a longer look where it is asked for."""

    def __init__(self, text: str) -> None:
        self.text, self.tokens, self.place = text, tokens(text), 0

    @property
    def next(self) -> Token:
        return self.tokens[self.place]

    def look(self, ahead: int) -> Token:
        return self.tokens[min(self.place + ahead, len(self.tokens) - 1)]

    def take(self) -> Token:
        token = self.next
        self.place += token.kind != "end"
        return token

    def skip(self, *kinds: str) -> bool:
        found = self.next.kind in kinds
        self.place += found
        return found

    def wrong(self, reason: str, token: Token | None = None) -> FormulaError:
        return FormulaError(self.text, (token or self.next).at, reason)

    def close(self, opened: Token) -> None:
        wanted = CLOSING.get(opened.text[-1], ")")
        if self.next.kind != ")":
            found = f"not '{self.next.text}'" if self.next.kind != "end" else "and the formula ends"
            raise self.wrong(f"expected '{wanted}' for the '{opened.text}' of column {opened.at + 1}, {found}")
        if self.next.text[-1] != wanted:
            raise self.wrong(f"'{self.next.text}' cannot close the '{opened.text}' of column {opened.at + 1}")
        self.take()

    def names_until(self, start: int, kind: str) -> int:
        """Where names, with or without commas, end in a token of this kind; 0 if they do not."""
        place = start
        while self.look(place).kind == "name" or (place > start and self.look(place).kind == ","):
            place += 1
        return place if place > start and self.look(place).kind == kind else 0

    def variables_between(self, count: int) -> list[str]:
        return [token.text for _ in range(count) if (token := self.take()).kind == "name"]
