"""`asker serve`: the same work for people who do not live in a terminal. Rendered on the server, no build, no network.

    app.py        the application: areas, static files, errors, the OpenAPI description
    security.py   who may come in: host check, sessions, login, CSRF, limits, headers (every request passes its guard)
    pages.py      templates → pages; what a handler gets from a request
    library.py    run folders by name: listed, opened, lent to one request at a time
    runs.py …     one file for each area

An area is one file, named in AREAS of app.py. It says which addresses it answers, and may say three things more:

    ROUTES = [Route("/annotate", show), Route("/annotate", keep, methods=["POST"])]     # starlette routes
    NAV = ("Annotate", "/annotate")              # its place in the line at the top of every page
    SCHEMA = {"/api/annotate": {"get": {…}}}     # OpenAPI paths of its JSON routes; tests throw schemathesis at them
    OPEN = ("/login",)                           # addresses that need no login (only signing in has any)

A handler is a plain function (starlette runs it in a thread, so it may read a store) that gives back a page:

    def show(request: Request) -> Response:
        site = site_of(request)                                  # root folder, settings, library
        with site.library.lent(request.path_params["run"]) as run:     # an open asker.folder.Run; 404 if there is none
            return page(request, "annotate.html.j2", run=run, items=…)

    def keep(request: Request) -> Response:
        wishes = form_of(request)          # a Form: wishes.text("label"), wishes.many("labels"), wishes.whole("n")
        return went_to(f"/annotate/{…}")   # 303: reloading sends nothing twice

What holds without any work in an area: only signed-in people get here (where a login is asked for), and
`user_of(request)` is their name; every POST carries a valid CSRF token or is refused before the handler (put
`{{ csrf() }}` into each form; a script sends the header X-CSRF with the value of <meta name="csrf">); bodies over LIMIT
are refused; everything a template prints is cleaned and escaped; scripts and styles come from static/ only – no inline
script, no `style=` attributes. `AskerError` raised in a handler becomes a page (JSON under /api/) with its sentence.

A template begins with `{% extends "layout.html.j2" %}` and fills the blocks `title` and `main` (and `script` for a
file of its own in static/). `page(…, sensitive=True)` shows the content notice first. Macros of the report
(`tables.html.j2`, `pairs.html.j2`) can be imported as they are. Colours are the variables of the report's style.css.

Files that the server keeps for itself lie in ROOT/.web/ (`site.own`): the secret that signs sessions, logs of runs it
started, measured reports. What people enter belongs into the run's folder or its store, not there.

Tests: the fixture `site` gives a client over two small real runs (tests/webclient.py: `site.get`, `site.fill(address,
fields, seen=page)`); tests/web/test_browser.py walks PAGES in a real browser (axe, 400 px, no complaints): add yours.
"""
