"""Starting, stopping and resuming runs. What a plan takes and can show is said before anything is asked."""

from __future__ import annotations

import re
import time
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from asker import registry
from asker.config import Settings, resolve
from asker.errors import AskerError, InputError
from asker.folder import suite_of
from asker.foresight import cost, power_of
from asker.progress import duration
from asker.run import plan_for
from asker.web.library import Site
from asker.web.pages import Form, form_of, page, query_of, site_of, went_to
from asker.web.processes import start, stop
from asker.web.runs import path_of

FIELDS = {  # what the form knows, and its words; everything else is left to the command line
    "target": "Chatbot",
    "suite": "What to audit",
    "preset": "How much",
    "mode": "Mode",
    "attributes": "Attributes",
    "groups": "Groups",
    "categories": "Categories",
    "inventory": "Inventories",
    "lang": "Languages",
    "budget": "Questions at most",
    "samples": "Times each is asked",
    "seed": "Seed",
    "system": "System prompt",
    "temperature": "Temperature",
    "max_tokens": "Tokens of an answer at most",
    "concurrency": "Asked at once at most",
    "rate": "Requests a minute at most",
    "minutes": "Minutes at most",
    "max_cost": "Dollars at most",
    "price": "Dollars per million tokens, in and out",
    "stop_when": "Stop when",
    "judge": "Judge",
}
SUITES, PRESETS, MODES = ("bias", "survey", "logic"), ("quick", "paper-api", "paper-manual", "full"), ("sound", "paper")
JUDGES = ("rules", "stance", "paper", "toxicity")
PLAIN = ("alice", "cleverbot", "eliza", "gemma270m", "kuki", "smollm2", "tencent")
"""Targets that take no argument here. Those that run a program, load code or read a file of the server are left out."""
ARGUED = {"simulated": r"[\w.=,-]*(?<!\.toml)", "openai": r"[\w./:@-]+"}
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
WORDS = re.compile(r"[\w ,+-]*")
LONGEST = 4_000  # characters of a field
HOW = ("out",)  # settings that a resumed run does not repeat


def show(request: Request) -> Response:
    """The form, and once a chatbot is chosen what the plan would be."""
    query, site = query_of(request), site_of(request)
    given = _given(query)
    plan, problem = None, ""
    if given.get("target"):
        try:
            _arguments(site, given)
            plan = _planned(given)
        except AskerError as error:
            problem = str(error)
    known = registry.names("targets") if site.allow_programs else sorted((*PLAIN, *ARGUED))
    values: dict[str, Any] = {"targets": known, "suites": SUITES, "presets": PRESETS, "modes": MODES, "judges": JUDGES}
    values |= {"fields": FIELDS, "given": given, "name": query.text("name", most=200), "plan": plan, "problem": problem}
    return page(request, "start.html.j2", **values)


def begin(request: Request) -> Response:
    site, form = site_of(request), form_of(request)
    given = _given(form)
    if not given.get("target"):
        raise InputError("choose a chatbot first")
    arguments = _arguments(site, given)
    name = form.text("name", most=200).strip() or _name(given)
    if not NAME.fullmatch(name):
        raise InputError(
            "a run's name has up to 80 letters, digits, '.', '_' and '-', and begins with a letter or digit"
        )
    if (site.library.root / name).exists():
        raise InputError(f"there is a run '{name}' already; go on with it, or choose another name")
    start(site, name, ["run", *arguments, f"--out={site.library.root / name}"])
    _wait_for(site, name)
    return went_to(path_of(name) if name in site.library.names() else f"/start/{name}")


def waiting(request: Request) -> Response:
    """A run that was started and has no folder yet, or never got one."""
    from asker.web.processes import alive, log_of, started

    site, name = site_of(request), request.path_params["run"]
    if name in site.library.names():
        return went_to(path_of(name))
    found = started(site, name)
    going = found is not None and alive(found)
    return page(request, "waiting.html.j2", run=name, going=going, log=log_of(site, name))


def halt(request: Request) -> Response:
    site, name = site_of(request), request.path_params["run"]
    site.library.folder(name)
    if not stop(site, name):
        raise InputError("this run was not started here, or has ended; stop it where it was started, with Ctrl-C")
    return went_to(path_of(name))


def resume(request: Request) -> Response:
    site, name = site_of(request), request.path_params["run"]
    with site.library.lent(name) as run:
        settings = run.file.settings
    given = {
        field: _plain(value)
        for field, value in msgspec.structs.asdict(settings).items()
        if field not in HOW and value != getattr(Settings(), field)
    }
    given |= {"target": settings.target, "preset": settings.preset, "suite": settings.suite}
    unknown = [f"--{field.replace('_', '-')}" for field in given if field not in FIELDS]
    if unknown and not site.allow_programs:
        raise InputError(
            f"this run was made with {', '.join(unknown)}, which only the command line takes; go on with it there, "
            "or start the server with --allow-programs"
        )
    start(site, name, ["run", *_arguments(site, given), f"--out={site.library.root / name}"])
    time.sleep(0.3)  # it takes a moment until it holds the run
    return went_to(path_of(name))


# --- from a form to arguments ----------------------------------------------------------------------------------------


def _given(form: Form) -> dict[str, str]:
    return {field: text for field in FIELDS if (text := form.text(field, most=LONGEST).strip())}


def _arguments(site: Site, given: dict[str, str]) -> list[str]:
    """Flags, each one word with its value: a value can be no flag of its own."""
    if not site.allow_programs:
        _check_harmless(given)
    suite = registry.load("suites", given.get("suite", "bias"))
    kept = {field: value for field, value in given.items() if field != "preset" or "preset" in suite.OBEYS}
    return [f"--{field.replace('_', '-')}={value}" for field, value in kept.items()]


def _check_harmless(given: dict[str, str]) -> None:
    """Nothing that runs a program, loads code or reads a file here."""
    name, _, argument = given["target"].partition(":")
    if not (name in PLAIN and not argument) and not (name in ARGUED and re.fullmatch(ARGUED[name], argument)):
        raise InputError(
            f"'{given['target'][:80]}' is no chatbot that can be asked from here. These can: "
            f"{', '.join((*PLAIN, 'openai:MODEL', 'simulated'))}. Others are for the command line, or for a server "
            "started with --allow-programs"
        )
    if given.get("judge", JUDGES[0]) not in JUDGES:
        raise InputError(f"the judge '{given['judge']}' is for the command line; here: {', '.join(JUDGES)}")
    for field in ("inventory", "suite", "preset", "mode", "lang"):
        if not WORDS.fullmatch(given.get(field, "")):
            raise InputError(f"'{given[field]}' is no name; files are for the command line")


def _planned(given: dict[str, str]) -> dict[str, Any]:
    """What `asker plan` says of it, in words."""
    settings = resolve(given)
    _, plan = plan_for(settings)
    suite = suite_of(settings)
    power = power_of(suite.design(plan, settings.samples)) if hasattr(suite, "design") else None
    about = cost(settings, plan)
    dollars, minutes = about["dollars"], about["minutes"]
    return {
        "answers": plan.total * settings.samples,
        "total": plan.total,
        "samples": settings.samples,
        "tokens": int((about["tokens_in"] or 0) + (about["tokens_out"] or 0)),
        "dollars": f"${dollars:,.2f}" if dollars is not None else "unknown",
        "time": duration(60 * minutes) if minutes is not None else "unknown",
        "difference": power.difference if power else None,
        "half_width": power.half_width if power else None,
        "measure": power.measure if power else "",
        "formula": plan.formula,
        "left_out": plan.left_out,
    }


def _name(given: dict[str, str]) -> str:
    bot = re.sub(r"[^A-Za-z0-9]+", "-", given["target"])[:40].strip("-")
    what = given.get("suite", "bias") if given.get("suite", "bias") != "bias" else given.get("preset", "quick")
    return f"{bot}-{what}-{time.strftime('%Y%m%d-%H%M%S')}"


def _plain(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _wait_for(site: Site, name: str, seconds: float = 5.0) -> None:
    """Until the run's folder is there; most are within two seconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and name not in site.library.names():
        time.sleep(0.1)


NAV = ("Start a run", "/start")
ROUTES = [
    Route("/start", show),
    Route("/start", begin, methods=["POST"]),
    Route("/start/{run}", waiting),
    Route("/runs/{run}/stop", halt, methods=["POST"]),
    Route("/runs/{run}/resume", resume, methods=["POST"]),
]
