"""Imports go one way, so that a reader can learn the house from the bottom up."""

import ast
from pathlib import Path

import asker

SOURCE = Path(asker.__file__).parent
FLOORS = (
    {"types", "errors"},
    {"registry", "config", "opening", "stats", "progress", "keys", "files"},
    {"plan", "contrast", "finding", "logic"},
    {"data", "items"},
    {"languages", "targets", "judges", "stores", "suites", "report"},
    {"asking", "judging", "evaluate", "export", "checking"},
    {"folder", "building"},
    {"engines"},
    {"run", "rounds", "stopping", "merge", "manual", "compare", "gate", "sweep", "archive", "foresight"},
    {"api", "inspect", "forgetting", "registration", "labelling"},
    {"web"},
    {"cli", "__main__"},
)
FLOOR = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
PLUGINS = FLOORS[4] - {"report"}


def imports():
    """Which room imports which, leaving out what is only for type checkers."""
    for file in SOURCE.rglob("*.py"):
        room = file.relative_to(SOURCE).parts[0].removesuffix(".py")
        if room == "__init__":
            continue
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "asker":
                parts = node.module.split(".")
                named = [parts[1]] if len(parts) > 1 else [alias.name for alias in node.names]
                for other in named:
                    if other in FLOOR and not _for_type_checkers(file, node):
                        yield file.relative_to(SOURCE), room, other


def _for_type_checkers(file, node):
    lines = file.read_text("utf-8").splitlines()
    return any(line.startswith("if TYPE_CHECKING") for line in lines[: node.lineno]) and node.col_offset > 0


def test_every_room_has_its_floor():
    rooms = {entry.name.removesuffix(".py") for entry in SOURCE.iterdir() if not entry.name.startswith("__pycache__")}
    assert rooms - {"__init__", "py.typed"} == set(FLOOR)


def test_nothing_imports_from_above():
    upwards = [(str(file), other) for file, room, other in imports() if FLOOR[other] > FLOOR[room]]
    assert upwards == []


def test_plugin_families_do_not_import_each_other():
    across = [(str(file), other) for file, room, other in imports() if {room, other} <= PLUGINS and room != other]
    assert across == []


def test_sources_are_small_enough_to_read():
    long = {str(file.relative_to(SOURCE)): len(file.read_text("utf-8").splitlines()) for file in SOURCE.rglob("*.py")}
    assert {name: lines for name, lines in long.items() if lines > 400} == {}
