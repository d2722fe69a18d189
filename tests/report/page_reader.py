"""What a reader of the page does and sees, in a real Chromium."""

from pathlib import Path
from urllib.parse import urlencode

LAPTOP = {"width": 1280, "height": 800, "deviceScaleFactor": 1, "mobile": False}
PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
TITLE = "A set with <b>everything</b> & more"


class Reader:
    """A person at the browser."""

    def __init__(self, browser, page: Path):
        self.browser, self.page = browser, page

    def open(self, **address):
        self.browser.get("about:blank")
        self.browser.get(f"{self.page.as_uri()}#{urlencode(address, doseq=True)}")

    def screen(self, metrics):
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def scheme(self, name):
        features = [{"name": "prefers-color-scheme", "value": name}]
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def run(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def texts(self, selector):
        script = "return [...document.querySelectorAll(arguments[0])].filter(e => e.checkVisibility())"
        return self.run(f"{script}.map(e => e.textContent)", selector)

    def text(self, selector):
        (found,) = self.texts(selector)
        return found

    def press(self, *keys):
        from selenium.webdriver import ActionChains

        actions = ActionChains(self.browser)
        for key in keys:
            actions.send_keys(key)
        actions.perform()
        self.wait_for_tasks()

    def back(self):
        self.browser.back()
        self.wait_for_tasks()

    def wait_for_tasks(self):
        """A new address is shown by a task of its own, after the one of the key."""
        self.browser.execute_async_script("setTimeout(() => setTimeout(arguments[0]))")

    def click(self, selector, text=None):
        script = """return [...document.querySelectorAll(arguments[0])]
            .find(e => e.checkVisibility() && (!arguments[1] || e.textContent.includes(arguments[1])))"""
        self.run(script, selector, text).click()
        self.wait_for_tasks()

    def ids(self):
        return self.texts("#overview .cell-id a")

    def hash(self):
        """The address, once it has come to rest: timers of a page end in the order of their times."""
        return self.browser.execute_async_script("setTimeout(() => arguments[0](location.hash), 200)")

    def step(self):
        return int(self.text(".place b"))

    def errors(self):
        return [entry for entry in self.browser.get_log("browser") if entry["level"] == "SEVERE"]
