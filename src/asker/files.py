"""Files that are there whole or not at all, text that fits into one, and where packages keep theirs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path

from asker.errors import AskerError, InputError


@contextmanager
def written_whole(file: Path, trouble: type[AskerError] = InputError) -> Iterator[Path]:
    """A place beside the file to write to; what is written there takes the file's place in one step."""
    fresh = file.with_name(f".{file.name}.new")
    try:
        yield fresh
        fresh.replace(file)
    except OSError as error:
        raise trouble(f"cannot write {file}: {error.strerror or error}") from error
    finally:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)


def package_folder(name: str) -> Path | None:
    """Where an installed package lies, for the data that it carries: its code is not run."""
    spec = find_spec(name)
    places = list(spec.submodule_search_locations or ()) if spec else []
    return Path(places[0]) if places else None


def file_key(*names: str) -> str:
    """A file name for what any names stand for: always the same, and never a path."""
    return blake2b("\0".join(names).encode("utf-8", "surrogateescape"), digest_size=12).hexdigest()


def encodable(text: str) -> str:
    """UTF-8 cannot hold half a surrogate pair; a chatbot can send one."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
