"""What `make docs` adds to docs/: the reference, made from the code, and files that lie beside this folder.

Pages link to those as one does on a forge (`../src/asker/…`); here such a link leads to a copy inside the site.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

HERE = Path(__file__).parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE))

import reference  # noqa: E402

NAMED = re.compile(r"\[[\w./-]+\.md\]\(([\w./-]+\.md)(#[^)]*)?\)")  # a link that shows a file's name
LINK = re.compile(r"\]\(([^)#\s]+)(#[^)]*)?\)")
BESIDE = ("CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")


def on_files(files: Files, config: Any) -> Files:
    for place, text in reference.pages().items():
        files.append(File.generated(config, place, content=text))
    files.append(File.generated(config, "index.md", content=home()))
    for name in sorted({*BESIDE, *_linked()}):
        files.append(File.generated(config, name, abs_src_path=str(ROOT / name)))
    return files


def home() -> str:
    """The README, with its links as seen from docs/."""
    text = (ROOT / "README.md").read_text("utf-8")
    return LINK.sub(lambda found: f"]({found[1].removeprefix('docs/')}{found[2] or ''})", text)


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """A link out of docs/ becomes one to the copy; a page that lies deeper links to files beside it only."""
    inside = LINK.sub(lambda found: f"]({_inside(found[1], page.file.src_uri)}{found[2] or ''})", markdown)
    return NAMED.sub(lambda found: f"[{_title(found[1])}]({found[1]}{found[2] or ''})", inside)


def _title(name: str) -> str:
    """What a page calls itself, for readers who see no files."""
    file = HERE / name if (HERE / name).is_file() else ROOT / name
    heading = re.search(r"^# (.+)$", file.read_text("utf-8"), re.MULTILINE) if file.is_file() else None
    return heading[1] if heading else name


def _inside(target: str, page: str) -> str:
    if "/" in page or not target.startswith("../"):
        return target.removeprefix("docs/") if page in BESIDE else target
    return target.removeprefix("../")


def _linked() -> set[str]:
    """Files outside of docs/ that a page links to, and that exist."""
    found = set()
    for page in (ROOT / "README.md", *HERE.glob("*.md"), *(ROOT / name for name in BESIDE)):
        for target, _ in LINK.findall(page.read_text("utf-8")):
            file = (page.parent / target).resolve()
            if file.is_file() and file.is_relative_to(ROOT) and not file.is_relative_to(HERE):
                found.add(file.relative_to(ROOT).as_posix())
    return found - {"README.md"}
