"""Five sessions that click at random: nothing breaks, and the server's memory levels off.

`REUSEKNN_SOAK_SECONDS=120` makes it longer; `REUSEKNN_SOAK_SEED` repeats a run that failed;
`REUSEKNN_SOAK_DATASET`, with the data folder and the store of the environment, takes other ratings.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Error, Page

from pages.parts.frame import TITLES
from pages.parts.looks import name_of, shown_strategies
from tests.pages.browsing import Visit, serving, tau_box

pytestmark = pytest.mark.browser

SECONDS = float(os.environ.get("REUSEKNN_SOAK_SECONDS", "20"))
SEED = int(os.environ.get("REUSEKNN_SOAK_SEED", "1"))
DATASET = os.environ.get("REUSEKNN_SOAK_DATASET", "")
# Before the fixtures put the tests' own in their place.
FOLDERS = [os.environ.get(f"REUSEKNN_{name}_DIR", "") for name in ("DATA", "CACHE")]
#: Milliseconds that an action waits for what it acts on; what is not there is not acted on.
IMPATIENT = 800


def change_page(page: Page, choice: random.Random) -> None:
    links = page.locator(".st-key-menu").get_by_role("link")
    links.nth(choice.randrange(len(TITLES))).click(timeout=IMPATIENT)


def change_k(page: Page, choice: random.Random) -> None:
    name = choice.choice(["5", "10", "15", "20", "25", "30"])
    page.get_by_role("radio", name=name, exact=True).click(timeout=IMPATIENT)


def change_strategy(page: Page, choice: random.Random) -> None:
    page.get_by_role("combobox", name="Strategy").click(timeout=IMPATIENT)
    name = name_of(choice.choice(list(shown_strategies())))
    option = page.get_by_role("option", name=name, exact=True)
    option.click(timeout=IMPATIENT)


def type_tau(page: Page, choice: random.Random) -> None:
    tau = choice.choice(["0", "1", "12,5", "93", "100000", "-5", "99999999999999", ""])
    box = tau_box(page)
    box.fill(tau, timeout=IMPATIENT)
    box.press("Enter", timeout=IMPATIENT)


def move_tau(page: Page, choice: random.Random) -> None:
    slider = page.get_by_role("slider", name="Move τ")
    for _ in range(choice.randrange(1, 6)):
        key = choice.choice(["ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Home", "End"])
        slider.press(key, timeout=IMPATIENT)


def press_a_button(page: Page, choice: random.Random) -> None:
    names = ["Pin as A, to compare", "Unpin", "Swap A and B", "Pin B", "Glossary"]
    page.get_by_role("button", name=choice.choice(names)).click(timeout=IMPATIENT)
    page.keyboard.press("Escape")


def choose_a_pill(page: Page, choice: random.Random) -> None:
    radios = page.get_by_role("radio")
    radios.nth(choice.randrange(max(1, radios.count()))).click(timeout=IMPATIENT)


def unfold(page: Page, choice: random.Random) -> None:
    folded = page.locator("details > summary")
    folded.nth(choice.randrange(max(1, folded.count()))).click(timeout=IMPATIENT)


def click_a_figure(page: Page, choice: random.Random) -> None:
    plots = page.locator(".js-plotly-plot .nsewdrag")
    plot = plots.nth(choice.randrange(max(1, plots.count())))
    plot.scroll_into_view_if_needed(timeout=IMPATIENT)
    if box := plot.bounding_box(timeout=IMPATIENT):
        x = box["x"] + choice.random() * box["width"]
        y = box["y"] + choice.random() * box["height"]
        page.mouse.move(x, y)
        page.mouse.click(x, y)


def go_back_or_reload(page: Page, choice: random.Random) -> None:
    choice.choice([page.go_back, page.go_forward, page.reload])(timeout=20_000)


ACTIONS: list[Callable[[Page, random.Random], None]] = [
    *[change_page] * 3,
    change_k,
    change_strategy,
    type_tau,
    *[move_tau] * 2,
    press_a_button,
    choose_a_pill,
    unfold,
    *[click_a_figure] * 2,
    go_back_or_reload,
]


def test_sessions_that_click_at_random_break_nothing(
    folders: tuple[Path, Path], browser: Browser, capsys: pytest.CaptureFixture[str]
):
    data, cache = map(Path, FOLDERS) if DATASET else folders
    choice = random.Random(SEED)
    memory: list[float] = []
    done = dict.fromkeys(sorted({action.__name__ for action in ACTIONS}), 0)
    with serving(data, cache) as server:
        # On the narrow one the sidebar is folded away.
        visits = [Visit(browser, width) for width in (1280, 1280, 1280, 1280, 768)]
        for visit in visits:
            visit.open(f"{server.address}/?dataset={DATASET or 'small'}")
        end, last = time.monotonic() + SECONDS, ""
        while time.monotonic() < end:
            for visit in visits:
                action = choice.choice(ACTIONS)
                try:
                    action(visit.page, choice)
                except Error:  # not on this page, or redrawn meanwhile
                    continue
                done[action.__name__] += 1
                last = f"{action.__name__} at {visit.page.url}"
                broken = visit.page.get_by_test_id("stException").count()
                assert not broken, f"seed {SEED}, after {last}"
            memory.append(server.megabytes())
        for visit in visits:
            visit.rest()
            assert visit.page.get_by_test_id("stException").count() == 0, f"seed {SEED}"
            visit.is_clean()
            visit.context.close()
    middle, late = (float(np.mean(part)) for part in np.array_split(memory, 3)[1:])
    with capsys.disabled():
        print(
            f"\n{SECONDS:g} s, seed {SEED}: {sum(done.values())} actions {done}; memory "
            f"{memory[0]:.0f} MB at first, {middle:.0f} in the middle third, {late:.0f} in the last"
        )
    assert sum(done.values()) > SECONDS / 2
    # In the short run caches still fill.
    assert late < (1.05 if SECONDS >= 120 else 1.25) * middle
