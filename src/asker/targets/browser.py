"""A chatbot on a web page. Needs: asker-audit[browser], Chromium and a file. Example: browser:mybot.toml"""

from __future__ import annotations

import shutil
from collections.abc import Awaitable
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct
from playwright.async_api import (
    Browser,
    BrowserContext,
    Error,
    FrameLocator,
    Locator,
    Page,
    Playwright,
    async_playwright,
)
from playwright.async_api import TimeoutError as TookTooLong

from asker.errors import InputError, Retryable, TargetError, TargetUnusable, shown
from asker.targets import Options, said_before, users_turns
from asker.targets._chat import spoken
from asker.targets._file import read
from asker.targets._steady import TEXTS, Watched, settled, steady_text
from asker.types import Reply

OBEYS = ("opening", "conversation")
PATIENCE = 10.0  # seconds until something that should be on the page is missed
LAUNCH = 120_000  # milliseconds; a busy machine takes long, and --timeout comes first
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


class Chat(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a file for `browser:` holds: where things are on the page, as CSS selectors or any that playwright knows."""

    url: str
    input: str
    answer: str
    send: str = ""  # empty: the Enter key
    busy: str = ""  # there while the chatbot is still answering
    new: str = ""  # begins a new chat; empty: the page is opened anew, as by a stranger
    first: tuple[str, ...] = ()  # clicked once after loading, where they are there: cookie banners
    frame: str = ""  # the frame the chat is in, if it is in one
    steady: float = 1.5  # seconds without change, and the answer is taken to be whole
    wait: float = 45.0  # seconds until a question is given up
    name: str = ""
    executable: str = ""
    headless: bool = True
    profile: str = ""  # a folder for a browser profile, where one has logged in


class BrowserTarget:
    """One tab, one question at a time, as a person would ask it."""

    parallel = False

    def __init__(self, chat: Chat, file: str, source: str, options: Options, executable: str | None) -> None:
        self._chat, self._file, self._source, self._executable = chat, file, source, executable
        self._conversation = options.conversation
        self._first, self._opening = users_turns("browser", options), said_before(options)
        self._met = False  # the opening was said in this chat
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._context: BrowserContext | None = None
        self._page: Page | None = None
        self._at_first = 0  # answers on the page before anything was asked: greetings
        self._answered = False

    def describe(self) -> dict[str, str]:
        chat = self._chat
        name = chat.name or urlsplit(chat.url).hostname or "the page"
        about = {"kind": "browser", "name": name, "url": chat.url, "file": self._source}
        return about | {"conversation": self._conversation} | self._opening

    async def ask(self, prompt: str, *, seed: int) -> Reply:
        try:
            page = await self._ready()
            for turn in () if self._met else self._first:
                await self._say(page, turn)
            self._met = self._conversation == "shared"
            said = await self._say(page, prompt)
        except Error as error:
            await self._drop()
            raise self._broken(error) from error
        except BaseException:  # given up: whatever is still being said on this page must not answer the next question
            await self._drop()
            raise
        self._answered = True
        return Reply(spoken(said))

    # --- the steps ---

    async def _ready(self) -> Page:
        """The page with an empty chat."""
        if self._page is not None and self._conversation == "fresh":
            if self._chat.new:
                await self._found("new", self._at(self._page, self._chat.new).first.click())
                await self._emptied(self._page)
            else:
                await self._drop()
        if self._page is None:
            self._page = await self._open()
        return self._page

    async def _open(self) -> Page:
        context = await self._started()
        page = await context.new_page()
        page.set_default_timeout(1000 * PATIENCE)
        await self._visit(page)
        for selector in self._chat.first:
            with suppress(TookTooLong):  # a banner that was answered before does not come again
                await self._at(page, selector).first.click(timeout=2000)
        # Whoever watches may have to log in first.
        patience = PATIENCE if self._chat.headless else self._chat.wait
        field = self._at(page, self._chat.input).first
        await self._found("input", field.wait_for(state="visible", timeout=1000 * patience), page)
        await settled(self._answers(page), self._chat.steady)
        self._at_first = await self._answers(page).count()
        return page

    async def _visit(self, page: Page) -> None:
        """Chromium gives no response for an error without a page; what came is known all the same."""
        seen: list[int] = []
        page.on("response", lambda one: seen.append(one.status) if one.request.is_navigation_request() else None)
        try:
            await page.goto(self._chat.url, wait_until="domcontentloaded")
        except Error as error:
            if "ERR_HTTP_RESPONSE_CODE_FAILURE" not in str(error) or not seen:
                raise
        if seen and seen[-1] >= 400:
            raise self._refused(seen[-1])

    async def _emptied(self, page: Page) -> None:
        """Wait until the old chat is gone, and the greeting there again: it would be taken for an answer."""
        for _ in range(20):
            if await self._answers(page).count() <= self._at_first:
                break
            await page.wait_for_timeout(100)
        await settled(self._answers(page), self._chat.steady)

    async def _say(self, page: Page, text: str) -> str:
        before = await self._answers(page).evaluate_all(TEXTS)
        await self._send(page, text)
        return await self._wait(page, before)

    async def _send(self, page: Page, prompt: str) -> None:
        field = self._at(page, self._chat.input).first
        await self._found("input", field.fill(prompt))
        if self._chat.send:
            await self._found("send", self._at(page, self._chat.send).first.click())
        else:
            await field.press("Enter")

    async def _wait(self, page: Page, before: list[str]) -> str:
        busy = self._at(page, self._chat.busy) if self._chat.busy else None
        watched = Watched(self._answers(page), busy, before)
        said = await steady_text(watched, self._chat.steady, self._chat.wait)
        if said is not None:
            return said
        if watched.text:
            what = "is still busy" if watched.busy else "is still being written"
            raise Retryable(f"the answer {what} after {self._chat.wait:g} s: {shown(watched.text)}", charged=True)
        raise await self._lost("answer", page)

    # --- what is on the page ---

    def _at(self, page: Page, selector: str) -> Locator:
        where: Page | FrameLocator = page.frame_locator(self._chat.frame) if self._chat.frame else page
        return where.locator(selector)

    def _answers(self, page: Page) -> Locator:
        return self._at(page, self._chat.answer)

    async def _found(self, setting: str, action: Awaitable[Any], page: Page | None = None) -> None:
        try:
            await action
        except TookTooLong:
            raise await self._lost(setting, page or self._page) from None

    async def _lost(self, setting: str, page: Page | None) -> TargetError:
        """Something is not where the file says: what the page shows instead helps to find out why."""
        text = ""
        if page is not None:
            with suppress(Error):
                text = " ".join((await page.locator("body").inner_text(timeout=1000)).split())
        selector = getattr(self._chat, setting)
        said = f"found nothing usable at {setting} = '{selector}'; the page says: {shown(text, 150) or 'nothing'}"
        if self._answered:
            return Retryable(said)
        return TargetUnusable(f"{said}. Correct the selector in {self._file}, or look with headless = false")

    def _refused(self, status: int) -> TargetError:
        said = f"{self._chat.url} answers with HTTP {status}"
        return Retryable(said) if status == 429 or status >= 500 else TargetUnusable(f"{said}. Check {self._file}")

    def _broken(self, error: Error) -> TargetError:
        said = shown(error.message.split("\n")[0], 200)
        if "net::ERR_CONNECTION_REFUSED" in said or "net::ERR_NAME_NOT_RESOLVED" in said:
            return Retryable(f"nobody listens at {self._chat.url}: {said}", unreachable=True)
        if "selector" in said or "Unknown engine" in said:
            return TargetUnusable(f"{self._file} holds a selector that is none: {said}")
        return Retryable(f"the browser failed: {said}", charged=True)

    # --- the browser ---

    async def _started(self) -> BrowserContext:
        """A context of its own: without a profile it has no past, so that the page meets a stranger."""
        if self._playwright is None:
            self._playwright = await async_playwright().start()
        if self._context is not None:
            return self._context
        chat, chromium = self._chat, self._playwright.chromium
        how: dict[str, Any] = {"headless": chat.headless, "executable_path": self._executable, "timeout": LAUNCH}
        # Ctrl-C is ours to handle: what is in flight is waited for.
        how |= {"handle_sigint": False, "handle_sigterm": False, "handle_sighup": False}
        try:
            if chat.profile:
                self._context = await chromium.launch_persistent_context(chat.profile, **how)
            else:
                if self._browser is None or not self._browser.is_connected():
                    self._browser = await chromium.launch(**how)
                self._context = await self._browser.new_context()
        except Error as error:
            said = shown(error.message.strip().split("\n")[0], 200)
            raise TargetUnusable(f"the browser does not start: {said}. {HOW_TO_GET_ONE}") from error
        return self._context

    async def _drop(self) -> None:
        """Forget the page and all it knows."""
        context, self._page, self._context = self._context, None, None
        self._met = False
        with suppress(Error):
            if context is not None:
                await context.close()

    async def close(self) -> None:
        await self._drop()
        browser, self._browser = self._browser, None
        with suppress(Error):
            if browser is not None:
                await browser.close()
        if self._playwright is not None:
            await self._playwright.stop()
            self._playwright = None


HOW_TO_GET_ONE = (
    "Install Chromium (on Debian: apt install chromium; else: playwright install chromium), or name it by executable"
)


def create(argument: str, options: Options) -> BrowserTarget:
    chat, source = read("browser", argument, Chat)
    address = urlsplit(chat.url)
    if address.scheme not in ("http", "https", "file") or "@" in address.netloc:
        what = "should begin with http:// or https://, and hold no name or password"
        raise InputError(f"{argument}: url = '{chat.url}' {what}")
    if chat.steady <= 0 or chat.wait <= chat.steady:
        raise InputError(f"{argument}: steady should be above 0, and wait longer than steady")
    return BrowserTarget(chat, argument, source, options, _executable(chat, argument))


def _executable(chat: Chat, file: str) -> str | None:
    """The browser the file names, or one that is installed here; None: the one playwright brings."""
    if chat.executable:
        if not Path(chat.executable).is_file():
            raise InputError(f"{file}: there is no executable = '{chat.executable}'. {HOW_TO_GET_ONE}")
        return chat.executable
    return next((found for name in CHROMIUMS if (found := shutil.which(name))), None)
