"""A real server with real bots, and browsers that notice everything a page should not do."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import ClassVar
from urllib.parse import quote
from zlib import crc32

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from memory.dialects.kenobot import sample
from memory.web.base.pulse import LATELY
from tests.support import prepared
from tests.support.amounts import LONG
from tests.support.commands import Commands

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "docs" / "screenshots"
LINK = re.compile(r"Open (http://\S+)(/login\?token=\S+) ")
SECRET = "a-secret-that-only-tests-know"
PHONE, WIDE = 360, 1280
WALK = 16_000  # ms; a page asks every fifteen seconds whether the files changed
IN_STEP = re.compile("Up to date|changed (just now|1 min ago)")  # what a page says once the files are read
LOOKS = [("light", WIDE), ("light", PHONE), ("dark", PHONE), ("dark", WIDE)]  # each is one step from the one before it
COLOURS = ("color-contrast", "link-in-text-block")
AXE = Axe().axe_script
WAY, INSPECTION, SEEN = ((Path(__file__).parent / f"{name}.js").read_text() for name in ("ways", "inspection", "seen"))
INSPECTION, SEEN = (f"(options) => ({asking})(({WAY})(), options)" for asking in (INSPECTION, SEEN))
REFUSAL = re.compile(r"Failed to load resource: the server responded with a status of (\d+)")
# A message leaves after some seconds, unless the page has a test's clock: on a busy machine before a test comes to its button.
KEEP_MESSAGES = """
const wait = window.setTimeout;
window.setTimeout = (act, after, ...rest) => (act.name === "go" && after >= 6000 ? 0 : wait(act, after, ...rest));
"""
TELL_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) => {
  console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile} ${event.sample}`);
});
"""


@dataclass(frozen=True)
class Bot:
    """A bot as the browser knows it, and its memory directory as the bot itself knows it."""

    slug: str
    root: Path

    def write(self, path, text):
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def append(self, path, text):
        with (self.root / path).open("a", encoding="utf-8") as file:
            file.write(text)

    def read(self, path="MEMORY.md"):
        return (self.root / path).read_text(encoding="utf-8")

    def files(self):
        """Every file's bytes by its path, without what is hidden: stashes of ours that wait for their proof."""
        found = (path for path in self.root.rglob("*") if path.is_file() and not path.name.startswith("."))
        return {str(path.relative_to(self.root)): path.read_bytes() for path in found}

    def at(self, place=""):
        """The address of a page; what stands behind a question mark is taken as it is."""
        path, mark, query = place.partition("?")
        return f"/{self.slug}/{quote(path)}{mark}{query}"


class Site:
    """`manage.py serve` in a home of its own, with one bot that the environment names, and what else the environment is to say."""

    def __init__(self, folder, **environment):
        self.folder = folder
        write_sample(folder / "keno")
        prepared.home(folder / "home")
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "KENOWEB_HOME": str(folder / "home"),
            "KENOBOT_HOME": str(folder / "keno"),
            "WEBHOOK_SECRET": SECRET,
            **environment,
        }
        self.bot = Bot("kenobot", folder / "keno" / "data" / "memory")
        self.commands = Commands(self.environment)
        self.errors = folder / "errors"
        found = LINK.search(self.commands.start(self.errors, "serve", "--port", "0"))
        assert found, self.errors.read_text()
        self.url, self.printed = found[1], found[2]

    def manage(self, *words):
        return json.loads(self.run("memory", "--json", *words))

    def run(self, *words):
        """What a command says."""
        done = self.commands.run(*words)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def new_bot(self, folder, with_sample=True, name=""):
        """One more bot on this site, with the sample's memory or with none."""
        root = self.folder / folder / "data" / "memory"
        if with_sample:
            write_sample(self.folder / folder)
        else:
            root.mkdir(parents=True)
        words = ("add-bot", str(root), "--dialect", "kenobot", "--name", name or folder)
        return Bot(self.manage(*words)["slug"], root)

    def new_link(self):
        """The path of a link that logs in once; the first is the one that the server printed."""
        link, self.printed = self.printed, ""
        return link or "/login?token=" + self.manage("login-link")["url"].partition("?token=")[2]

    def turn(self, **fields):
        """A turn as a bot posts it, signed its way; the answer."""
        body = json.dumps(fields).encode()
        signature = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
        request = urllib.request.Request(f"{self.url}/webhook", body, {"X-Webhook-Signature": f"sha256={signature}"})
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)

    def let_in(self, browser):
        """What a browser keeps that was let in."""
        window = Browsing.open(browser, self.url)
        window.page.goto(self.new_link())
        window.page.get_by_role("button", name="Log in").click()
        window.page.wait_for_url(f"**{self.bot.at()}")
        kept = window.context.storage_state()
        window.close()
        return kept

    def stop(self):
        self.commands.close(30)  # five seconds are for what a browser holds open, the rest for a busy machine
        return self.errors.read_text()


@contextmanager
def running(folder, **environment):
    """A site, for as long as it is needed. Raises AssertionError if it wrote a traceback."""
    site = Site(folder, **environment)
    yield site
    said = site.stop()
    assert "Traceback" not in said, said


def write_sample(folder):
    """A memory that nobody wrote to within the last minutes: early in the day the sample's newest logs are from this moment, and
    pages say of a file that it just changed."""
    folder.mkdir()
    sample.write(folder, datetime.now(UTC))
    for path in filter(Path.is_file, folder.rglob("*")):
        times = path.stat()
        os.utime(path, (times.st_atime, times.st_mtime - 2 * LATELY))


def unmoved(route):
    """Tells an editor that asks that its file is what it was, so that Save itself meets what others wrote."""
    route.fulfill(status=204)


def settled(page, held=0):
    """Waits until a page is all there and no answer is on its way to it, but for those that a test holds back."""
    page.wait_for_load_state()
    expect(page.locator(".htmx-request")).to_have_count(held)


def heard(page):
    """Waits until the page knows whether the files changed: what it is asked before is not asked again."""
    page.wait_for_load_state()  # or it has not asked yet
    expect(page.locator("#step")).not_to_have_class(re.compile("htmx-request"))


def look_again(page):
    """Has a page with a clock that goes when it is told to ask whether the files changed."""
    with page.expect_response("**/step"):
        page.clock.run_for(WALK)
    heard(page)


class Good:
    """What was found good, by whichever process of a run: each adds to one file, and reads on in it."""

    def __init__(self, name):
        self._name, self._known, self._begun = name, set(), ""

    @cached_property
    def _files(self):
        path = Path(os.environ["KENOWEB_TESTS_SHARED"]) / self._name
        return path.open("ab", buffering=0), path.open(encoding="utf-8")

    def known(self):
        *lines, self._begun = (self._begun + self._files[1].read()).split("\n")
        self._known.update(lines)
        return self._known

    def add(self, found):
        self._files[0].write("".join(f"{one}\n" for one in found - self._known).encode())
        self._known |= found


class Browsing:
    """One browser window with its own cookies. It notes errors, policy violations and requests to other hosts."""

    readable: ClassVar = Good("readable")  # ways to stand there in which a text was found readable, in any window
    inspected: ClassVar = Good("inspected")  # ways of texts, and kinds of elements, of pages that were found good
    spare: ClassVar[dict[str, list[Browsing]]] = {}  # windows that were closed, by what they were opened with

    @classmethod
    def open(cls, browser, url, storage_state=None, **options):
        """A window of somebody with these cookies: one that was closed, as if it were new, or a new one, which costs a quarter of a
        second, as its process reads every script anew."""
        like = f"{url} {sorted(options.items())}"
        closed = cls.spare.setdefault(like, [])
        window = closed.pop() if closed else cls(browser, url, closed, options)
        window._begin((storage_state or {}).get("cookies", []))
        return window

    def __init__(self, browser, url, closed, options):
        self.url, self.troubles, self.expected, self._closed = url, [], set(), closed
        self.context = browser.new_context(base_url=url, **options)
        self.context.set_default_timeout(30_000)
        self.context.add_init_script(TELL_VIOLATIONS + KEEP_MESSAGES)
        self.context.on("console", self._console)
        self.context.on("weberror", lambda error: self.troubles.append(str(error.error)))
        self.context.on("request", self._request)
        self.page = self.context.new_page()
        self.page.on("websocket", lambda socket: self.troubles.append(socket.url))
        self._size, self._heard = self.page.viewport_size, self._listened()
        self._devtools = self.context.new_cdp_session(self.page)

    def _begin(self, cookies):
        self.troubles.clear()
        self.expected.clear()
        self.context.add_cookies(cookies)

    def _listened(self):
        """What of its page somebody listens to."""
        return self.page._impl_obj.event_names()

    def _leave(self):
        """Forgets what was done in it; False if it cannot, as listeners and a clock of a test's own stay."""
        page = self.page
        if page.is_closed() or self._listened() != self._heard:
            return False
        for other in self.context.pages:
            if other is not page:
                other.close()
        page.unroute_all()
        page.goto("about:blank")
        page.mouse.move(-1, -1)
        page.emulate_media(color_scheme="light", reduced_motion="no-preference")
        if page.viewport_size != self._size:
            page.set_viewport_size(self._size)
        self.context.clear_cookies()
        self._devtools.send("Storage.clearDataForOrigin", {"origin": self.url, "storageTypes": "all"})
        self._devtools.send("Page.resetNavigationHistory")
        return page.evaluate("!globalThis.__pwClock")

    def expect_status(self, *statuses):
        """Answers that a browser reports as errors of their own and that belong to the story."""
        self.expected.update(statuses)

    def _console(self, message):
        refusal = REFUSAL.match(message.text)
        if refusal and int(refusal[1]) in self.expected:
            return
        left = message.text.startswith(("htmx:sendAbort", "htmx:afterRequest"))  # asked for while the page was left
        if message.type == "error" and not left:
            self.troubles.append(f"{message.text} at {message.location['url']}")

    def _request(self, request):
        if not request.url.startswith((f"{self.url}/", "data:")):
            self.troubles.append(f"asked for {request.url}")

    def look(self, scheme, width):
        self.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        if self.page.viewport_size != (size := {"width": width, "height": 800}):
            self.page.set_viewport_size(size)

    def inspect(self, *rules, held=0):
        """Raises AssertionError for what somebody could not read, reach or see without scrolling sideways."""
        page = self.page
        settled(page, held)
        if page.evaluate("window.axe === undefined"):
            page.evaluate(AXE)
        wanted = {"runOnly": list(rules)} if rules else {}
        found = page.evaluate(INSPECTION, {"known": "\n".join(self.readable.known()), **wanted})
        bad = [
            f"{one['id']}: {node['target']} {node['failureSummary']}"
            for one in found["serious"]
            for node in one["nodes"][:3]
        ]
        assert not bad, f"{page.url}\n" + "\n".join(bad)
        self.readable.add(set(found["ways"]))
        texts, kinds = self.seen(mark=not rules)
        self.inspected.add(texts if rules else texts | kinds)
        self.fits()

    def seen(self, mark=False):
        """The ways of texts, and the kinds of elements, that are on the page in this look of it alone."""
        seen = self.page.evaluate(SEEN, {"mark": mark})
        return set(seen["texts"].splitlines()), set(seen["kinds"].splitlines())

    def fits(self):
        """Raises AssertionError for a page that has to be scrolled sideways."""
        page, width = self.page, self.page.viewport_size["width"]
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (page.url, page.evaluate(WIDER, width))

    def inspect_in_every_look(self, held=0):
        """The whole inspection as most people see the page. The other looks are inspected for what they show otherwise than the
        first, unless the like of it was inspected before, on whatever page: colours for texts, on a phone all for elements.
        In the dark, pages take turns: one is looked at on a desk, the next on a phone, in a long run each on both."""
        settled(self.page, held)
        left_out = [] if LONG else LOOKS[2 + crc32(self.page.url.removeprefix(self.url).encode()) % 2 :][:1]
        for scheme, width in (look for look in LOOKS if look not in left_out):
            self.look(scheme, width)
            texts, kinds = self.seen()
            is_new = not kinds <= self.inspected.known() and scheme == "light"
            if (scheme, width) == LOOKS[0] or is_new or (LONG and scheme == "light"):
                self.inspect(held=held)
            elif LONG or not texts <= self.inspected.known():
                self.inspect(*COLOURS, held=held)
            else:
                self.fits()

    def checked(self):
        """Raises AssertionError for what a page should not have done; the next one begins anew."""
        troubles, self.troubles = self.troubles, []
        self.expected.clear()
        assert not troubles, "\n".join(troubles)

    def close(self):
        """Leaves it to whoever opens the like next; raises AssertionError for what a page should not have done."""
        if self._leave():
            self._closed.append(self)
        else:
            self.context.close()
        self.checked()


WIDER = """(width) => [...document.querySelectorAll("body *")]
  .filter((one) => one.getBoundingClientRect().right > width + 1)
  .slice(0, 5).map((one) => `${one.tagName}.${one.className?.baseVal ?? one.className}`)"""
