"""One browser for all tests of the page."""

import shutil

import page_samples
import pytest
from page_reader import LAPTOP, TITLE, Reader

from worldline.report.page import write_page

INSTALL = "apt-get install chromium chromium-driver"
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars"),
)


def start_browser(profile):
    """A Chromium of its own with an empty profile."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options, webdriver.ChromeService(shutil.which("chromedriver")))


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    if not (shutil.which("chromium") and shutil.which("chromedriver")):
        pytest.skip(f"no Chromium here: {INSTALL}")
    driver = start_browser(tmp_path_factory.mktemp("profile"))
    yield driver
    driver.quit()


@pytest.fixture(scope="session")
def diagnoses():
    return page_samples.samples()


@pytest.fixture(scope="session")
def page(tmp_path_factory, diagnoses):
    path = tmp_path_factory.mktemp("page") / "report.html"
    write_page(diagnoses, path, TITLE)
    return path


@pytest.fixture
def reader(browser, page):
    found = Reader(browser, page)
    found.screen(LAPTOP)
    found.scheme("light")
    found.errors()
    yield found
    assert found.errors() == []
