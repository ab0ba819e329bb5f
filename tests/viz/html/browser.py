"""A headless browser, driven through a pipe with the standard library only.

Chromium speaks its DevTools protocol over two file descriptors when started with --remote-debugging-pipe: zero-
terminated JSON messages, commands on 3, answers and events on 4. Events received meanwhile are kept in `events`.
"""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def find_browser() -> str | None:
    """The path of an installed browser."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


_START = """
import fcntl, os, sys
ends = [fcntl.fcntl(int(end), fcntl.F_DUPFD, 10) for end in sys.argv[1:3]]
for end, place in zip(ends, (3, 4)):
    os.dup2(end, place)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""Connects the pipes to the browser's file descriptors and executes the browser."""


class Browser:
    """One page of one browser. Use as a context manager."""

    def __init__(self, timeout: float = 60.0) -> None:
        program = find_browser()
        assert program is not None, "no browser is installed"
        self.timeout = timeout
        self.events: list[dict[str, Any]] = []
        self._buffer = b""
        self._number = 0
        self._session: str | None = None
        self._profile = tempfile.TemporaryDirectory(prefix="browser-", ignore_cleanup_errors=True)
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()
        flags = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--remote-debugging-pipe",
            f"--user-data-dir={self._profile.name}",
            "about:blank",
        ]
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START, str(to_browser), str(from_browser), program, *flags],
            pass_fds=(to_browser, from_browser),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(to_browser)
        os.close(from_browser)

    def __enter__(self) -> Browser:
        targets = self.send("Target.getTargets")["targetInfos"]
        page = next(target for target in targets if target["type"] == "page")
        attached = self.send("Target.attachToTarget", targetId=page["targetId"], flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")
        return self

    def __exit__(self, *_: object) -> None:
        try:
            os.close(self._write)
            self._process.wait(5)
        except (OSError, subprocess.TimeoutExpired):
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        os.close(self._read)
        self._profile.cleanup()

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Run a command and return its answer."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._write, data) :]
        while True:
            answer = self._receive(self.timeout)
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def _receive(self, timeout: float) -> dict[str, Any]:
        deadline = time.monotonic() + timeout
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._read], [], [], max(0.0, deadline - time.monotonic()))
            data = os.read(self._read, 1 << 16) if ready else b""
            if not data:
                raise TimeoutError("the browser does not answer")
            self._buffer += data
        raw, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(raw)

    def open(self, page: Path) -> float:
        """Load a page; returns the seconds until it was drawn and responsive."""
        self.events.clear()
        start = time.monotonic()
        self.send("Page.navigate", url=page.resolve().as_uri())
        self.wait_for("document.readyState === 'complete'")
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
        return time.monotonic() - start

    def run(self, script: str) -> Any:
        """The value of a script in the page; promises are awaited."""
        answer = self.send("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("text", "") + " in " + script)
        return answer["result"].get("value")

    def wait_for(self, condition: str) -> None:
        """Wait until a script returns a truthy value."""
        deadline = time.monotonic() + self.timeout
        while not self.run(f"Boolean({condition})"):
            if time.monotonic() > deadline:
                raise TimeoutError(f"never true: {condition}")
            time.sleep(0.02)

    def press(self, *keys: str) -> None:
        """Press keys one after another; single characters type themselves."""
        for key in keys:
            typed: dict[str, Any] = {"text": key} if len(key) == 1 else {}
            if key == "Enter":
                typed = {"text": "\r", "windowsVirtualKeyCode": 13}
            if key == "Tab":
                typed = {"windowsVirtualKeyCode": 9}
            if key == "Escape":
                typed = {"windowsVirtualKeyCode": 27}
            self.send("Input.dispatchKeyEvent", type="keyDown", key=key, **typed)
            self.send("Input.dispatchKeyEvent", type="keyUp", key=key)

    def click(self, selector: str) -> None:
        """Click in the middle of the first element that matches."""
        box = self.run(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block: 'center'}});"
            "const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)

    def requests(self) -> list[str]:
        """Addresses the page asked for, the page itself included."""
        return [
            e["params"]["request"]["url"]
            for e in self.events
            if e.get("method") == "Network.requestWillBeSent"
        ]

    def problems(self) -> list[str]:
        """Exceptions in scripts, and the browser's console errors (such as policy violations)."""
        found = []
        for event in self.events:
            if event.get("method") == "Runtime.exceptionThrown":
                found.append(
                    str(event["params"]["exceptionDetails"].get("exception", {}).get("description", event))
                )
            elif event.get("method") == "Log.entryAdded" and event["params"]["entry"]["level"] in (
                "error",
                "warning",
            ):
                found.append(event["params"]["entry"]["text"])
        return found

    def size(self, width: int, height: int) -> None:
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )

    def appearance(self, *, dark: bool = False, printed: bool = False) -> None:
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.send("Emulation.setEmulatedMedia", media="print" if printed else "", features=features)

    def screenshot(self, path: Path, whole: bool = False) -> None:
        data = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        path.write_bytes(base64.b64decode(data))
