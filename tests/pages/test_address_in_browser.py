"""Page, controls and address under stress: a slow browser, quick clicks, two tabs, any order.

After each act all three say the same, and tau is what the user set or the suggestion.
`REUSEKNN_STRESS_ACTS=200` makes it longer; `REUSEKNN_STRESS_SEED` repeats a run that failed.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pandas as pd
import pytest
from playwright.sync_api import BrowserContext, Page

from engine.datasets import generate
from engine.settings import PAPER_KS
from pages.parts.address import View, address_parts, read_address, write_address
from pages.parts.frame import TITLES
from pages.parts.looks import name_of, shown_strategies
from tests.pages.browsing import Visit, menu_link, tau_box, type_tau

pytestmark = pytest.mark.browser

ACTS = int(os.environ.get("REUSEKNN_STRESS_ACTS", "5"))
SEED = int(os.environ.get("REUSEKNN_STRESS_SEED", "1"))
#: How many times slower the processor of the browser is made.
SLOWER = 6
#: Seconds until page, controls and address must agree; a dataset may have to be computed first.
PATIENCE = 300.0
#: The pages that show the control of tau.
PAGES = ("overview", "data_usage", "neighborhoods", "tradeoff", "popularity_bias", "people")
DATASETS = ["small", "fresh"]
#: Texts that are no tau.
REFUSED = ("12,5", "-3")
#: What an act changes: the page, or parts of the view.
Change = dict[str, Any]

READ = """() => {
    const field = label => document.querySelector(`input[aria-label="${label}"]`);
    const radios = label =>
        [...document.querySelectorAll(`[role=radiogroup][aria-label="${label}"] [role=radio]`)];
    const checked = label =>
        radios(label).find(radio => radio.ariaChecked === "true")?.innerText ?? "";
    return {
        running: document.querySelector("[data-testid=stApp]")?.dataset.testScriptState,
        page: location.pathname.slice(1),
        search: location.search.slice(1),
        title: document.querySelector("h1 [data-heading-text]")?.innerText,
        dataset: field("Dataset")?.value,
        strategy: field("Strategy")?.value,
        k: checked("Neighbors per query, k"),
        box: field("Threshold τ")?.value || field("Threshold τ")?.placeholder,
        refused: [...document.querySelectorAll("[data-testid=stAlert]")]
            .some(alert => alert.innerText.includes("τ is still")),
        slider: field("Move τ")?.ariaValueText?.replaceAll(",", ""),
        rules: Object.fromEntries(radios("Suggestions for τ").map(radio =>
            radio.innerText.replaceAll(",", "").split(": "))),
        rule: checked("Suggestions for τ").split(": ")[0],
    };
}"""


class Tab:
    """A tab, and what its user knows: the page, what was chosen, and what was seen before."""

    def __init__(self, context: BrowserContext, server: str, choice: random.Random) -> None:
        self.page: Page = context.new_page()
        self.page.set_default_timeout(1000 * PATIENCE)
        slow = context.new_cdp_session(self.page)
        slow.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        self.server, self.choice = server, choice
        #: What may be there: a choice that comes late for a control that is gone is none.
        self.wanted: list[tuple[str, View]] = []
        self.seen: list[tuple[str, View]] = []
        self.place = -1
        self.acts: list[str] = []

    def now(self) -> tuple[str, View]:
        return self.seen[self.place]

    def settle(self, new_history: bool) -> None:
        """Wait until the tab shows what is wanted, at rest, and note it as seen."""
        end = time.monotonic() + PATIENCE
        while True:
            reading = self.page.evaluate(READ)
            misfits = [disagreements(reading, *wanted) for wanted in self.wanted]
            if [] in misfits and reading["running"] == "notRunning":
                self.page.wait_for_timeout(300)
                if self.page.evaluate(READ) == reading:
                    break
            assert time.monotonic() < end, f"seed {SEED}: {misfits} in {reading} after {self.acts}"
            self.page.wait_for_timeout(200)
        there = self.wanted[misfits.index([])]
        if new_history:
            self.seen, self.place = [there], 0
        elif there != self.now():
            self.seen, self.place = [*self.seen[: self.place + 1], there], self.place + 1

    def stays(self) -> None:
        """Assert that nothing has changed by itself."""
        reading = self.page.evaluate(READ)
        assert disagreements(reading, *self.now()) == [], (
            f"seed {SEED}: {reading} after {self.acts}"
        )


def disagreements(reading: dict[str, Any], page: str, view: View) -> list[str]:
    """Return what of page, controls and address says something else."""
    said = dict(parse_qsl(reading["search"]))
    tau = reading["rules"].get("Published rule") if view.tau is None else str(view.tau)
    # A text stays in the box as it was typed, one that was refused as long as it is said to be.
    box = reading["box"] or ""
    box = tau if reading["refused"] and box in REFUSED else box.replace(",", "")
    reading = {**reading, "box": box}
    wanted = {
        "page": page,
        "title": TITLES[page],
        "dataset": view.dataset,
        "strategy": name_of(view.strategy),
        "k": str(view.k),
        "box": tau,
        "slider": tau,
    }
    different = [name for name, value in wanted.items() if reading[name] != value]
    if (view.tau is None) != (reading["rule"] == "Published rule"):
        different.append("rule")
    if read_address(said, DATASETS) != (view, {}):
        different.append("address")
    return different


def open_link(tab: Tab) -> None:
    """Open a link, and leave for another page while the first is still on its way."""
    choice = tab.choice
    view = View(
        dataset=choice.choice(DATASETS),
        k=choice.choice(PAPER_KS),
        tau=choice.choice([None, 1, 12, 55, 100_000]),
        strategy=choice.choice(shown_strategies()),
    )
    first, then = choice.sample(PAGES, 2)
    wait = 0.2 * 40 ** choice.random()
    tab.acts.append(f"open {first} {address_parts(view)}, after {wait:.1f} s {then}")
    tab.page.goto(f"{tab.server}/{first}?{write_address(view)}")
    tab.page.wait_for_timeout(1000 * wait)
    menu_link(tab.page, TITLES[then]).click()
    tab.wanted = [(then, view)]
    tab.settle(new_history=True)


def act(tab: Tab, *acts: Callable[[Tab, View], Change], at_most: float) -> None:
    """Act, once or several times with pauses of at most so many seconds, and wait once."""
    tab.wanted = [tab.now()]
    for change_something in acts:
        change = change_something(tab, tab.wanted[-1][1])
        to_page = change.pop("page", None)
        changed = [(to_page or page, replace(view, **change)) for page, view in tab.wanted]
        # Another act may have replaced the control before this one arrived, unless it was first.
        may_be_lost = change_something in (set_tau, move_tau, choose_rule)
        late = may_be_lost and change_something is not acts[0]
        tab.wanted = [*tab.wanted, *changed] if late else changed
        tab.page.wait_for_timeout(1000 * at_most * tab.choice.random())
    tab.settle(new_history=len(acts) > 1)


def change_page(tab: Tab, _: View) -> Change:
    page = tab.choice.choice(PAGES)
    tab.acts.append(page)
    menu_link(tab.page, TITLES[page]).click()
    return {"page": page}


def change_k(tab: Tab, view: View) -> Change:
    k = tab.choice.choice([k for k in PAPER_KS if k != view.k])
    tab.acts.append(f"k = {k}")
    tab.page.get_by_role("radio", name=str(k), exact=True).click()
    return {"k": k}


def change_dataset(tab: Tab, view: View) -> Change:
    dataset = tab.choice.choice([name for name in DATASETS if name != view.dataset])
    tab.acts.append(dataset)
    choose(tab.page, "Dataset", dataset)
    return {"dataset": dataset}


def change_strategy(tab: Tab, view: View) -> Change:
    strategy = tab.choice.choice([name for name in shown_strategies() if name != view.strategy])
    tab.acts.append(strategy)
    choose(tab.page, "Strategy", name_of(strategy))
    return {"strategy": strategy}


def choose(page: Page, label: str, option: str) -> None:
    page.get_by_role("combobox", name=label).click()
    page.get_by_role("option", name=option, exact=True).click()


def set_tau(tab: Tab, _: View) -> Change:
    text = tab.choice.choice(["1", "12", "55", "93", "1,000", "", *REFUSED])
    tab.acts.append(f"τ = {text!r}")
    type_tau(tab.page, text)
    if text in REFUSED:
        return {}
    return {"tau": int(text.replace(",", "")) if text else None}


def move_tau(tab: Tab, _: View) -> Change:
    slider = tab.page.get_by_role("slider", name="Move τ")
    before = slider.get_attribute("aria-valuetext")
    slider.press(tab.choice.choice(["ArrowLeft", "ArrowRight"]))
    after = slider.get_attribute("aria-valuetext") or ""
    tab.acts.append(f"from {before} to {after}")
    return {} if after == before else {"tau": int(after.replace(",", ""))}


def choose_rule(tab: Tab, _: View) -> Change:
    rules = tab.page.evaluate(READ)
    rule = tab.choice.choice([rule for rule in rules["rules"] if rule != rules["rule"]])
    tab.acts.append(rule)
    tab.page.get_by_role("radio", name=rule).click()
    return {"tau": None if rule == "Published rule" else int(rules["rules"][rule])}


def go(tab: Tab, step: int) -> None:
    """Go back or forward, if there is something."""
    if not 0 <= tab.place + step < len(tab.seen):
        return
    tab.acts.append("back" if step < 0 else "forward")
    tab.place += step
    tab.wanted = [tab.now()]
    (tab.page.go_back if step < 0 else tab.page.go_forward)()
    tab.settle(new_history=False)


def reload(tab: Tab) -> None:
    tab.acts.append("reload")
    tab.page.reload()
    tab.settle(new_history=False)


ONE = (change_page, change_k, change_dataset, change_strategy, set_tau, move_tau, choose_rule)
SEVERAL = (
    (change_k, change_dataset),
    (change_dataset, change_k),
    (change_dataset, set_tau),
    (change_k, move_tau),
    (set_tau, change_page),
    (move_tau, change_k),
    (change_k, change_page),
    (change_page, change_page),
    (change_strategy, choose_rule, change_page),
)


@pytest.fixture
def fresh(folders: tuple[Path, Path]) -> Iterator[None]:
    """A dataset that nobody has looked at: its first look computes it."""
    ratings = generate(users=40, items=60, ratings=900, seed=SEED)
    columns = {"user": ratings.users[ratings.user], "item": ratings.items[ratings.item]}
    path = folders[0] / "fresh.csv"
    pd.DataFrame({**columns, "rating": ratings.value}).to_csv(path, index=False)
    yield
    path.unlink()


@pytest.mark.usefixtures("fresh")
def test_page_controls_and_address_agree_after_every_act(server: str, visit: Visit):
    choice = random.Random(SEED)
    tabs = [Tab(visit.context, server, choice) for _ in range(2)]
    for tab in tabs:
        open_link(tab)
    for _ in range(ACTS):
        tab = choice.choice(tabs)
        tab.stays()
        kind = choice.random()
        if kind < 0.15:
            open_link(tab)
        elif kind < 0.3:
            go(tab, choice.choice([-1, -1, 1]))
        elif kind < 0.35:
            reload(tab)
        elif kind < 0.7:
            act(tab, choice.choice(ONE), at_most=0)
        else:
            act(tab, *choice.choice(SEVERAL), at_most=2)
    for tab in tabs:
        tab.stays()
    visit.is_clean()


def test_tau_is_set_by_what_is_typed_alone(server: str, visit: Visit):
    page = visit.open(f"{server}/overview?dataset=small&tau=12")
    for typed in ("12,5", "12.5", "-1", "abc"):
        tau_box(page).press("Control+A")
        page.keyboard.type(typed)
        page.keyboard.press("Enter")
        page.get_by_text("is not a whole number of uses").filter(has_text=typed).wait_for()
        visit.rest()
        assert tau_box(page).input_value() == typed
        assert visit.address() == {"dataset": "small", "tau": "12"}
    visit.is_clean()


def test_a_tau_typed_before_a_refusal_arrives_counts(server: str, visit: Visit):
    page = visit.open(f"{server}/data_usage?dataset=small&tau=12")
    slow = visit.context.new_cdp_session(page)
    slow.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    box = tau_box(page)
    for pause in (0, 100, 200, 300):
        tau = 55 + pause
        for typed in ("12,5", str(tau)):
            box.press("Control+A")
            page.keyboard.type(typed)
            page.keyboard.press("Enter")
            page.wait_for_timeout(pause)
        page.wait_for_function(f"location.search.includes('tau={tau}')")
        visit.rest()
        page.get_by_role("radio", name="20" if pause % 200 else "5", exact=True).click()
        visit.rest()
        assert (box.input_value(), visit.address()["tau"]) == (str(tau), str(tau))
    visit.is_clean()


def test_what_is_typed_after_another_way_to_write_a_tau_counts(server: str, visit: Visit):
    """The box was replaced under the hand of who typed: 55 was lost, or became 5."""
    page = visit.open(f"{server}/data_usage?dataset=small&tau=12")
    slow = visit.context.new_cdp_session(page)
    slow.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    tau_box(page).focus()
    for number, pause in enumerate((0, 50, 100, 200, 300, 500)):
        for text in ("1,000", ""):
            tau = str(50 + 2 * number + (text == ""))
            page.keyboard.press("Control+A")
            page.keyboard.press("Delete")
            page.keyboard.type(text)
            page.keyboard.press("Enter")
            page.wait_for_timeout(pause)
            page.keyboard.press("Control+A")
            page.keyboard.type(tau, delay=60)
            page.keyboard.press("Enter")
            page.wait_for_function(f"location.search.includes('tau={tau}')")
            visit.rest()
            assert (tau_box(page).input_value(), visit.address()["tau"]) == (tau, tau)
    visit.is_clean()
