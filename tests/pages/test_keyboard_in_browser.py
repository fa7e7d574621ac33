"""The sidebar with the keyboard alone: every setting is reached, changed, and in the address."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.pages.browsing import Visit, tau_box

pytestmark = pytest.mark.browser

#: Outline, ring and colors of what has the focus and of the boxes close around it.
LOOKS = """element => {
    const boxes = [];
    for (let box = element; box && boxes.length < 4; box = box.parentElement) {
        const style = getComputedStyle(box);
        boxes.push([style.outlineStyle, style.boxShadow, style.borderColor, style.backgroundColor]);
    }
    for (const box of element.parentElement.children) boxes.push(getComputedStyle(box).boxShadow);
    return JSON.stringify(boxes);
}"""


#: Rings are there at once.
NO_FADING = "*, ::before, ::after { transition: none !important; animation: none !important }"
DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def has_focus(target: Locator) -> bool:
    return target.evaluate("element => element === document.activeElement")


def reach(page: Page, target: Locator, most: int = 40) -> None:
    """Press Tab until the target has the focus."""
    for _ in range(most):
        if has_focus(target):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{most} times Tab do not lead to {target}")


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def in_address(page: Page, **parts: str) -> None:
    """Wait until the address has these parts."""
    for name, value in parts.items():
        page.wait_for_function(
            "([name, value]) => (new URL(location.href).searchParams.get(name) ?? '') === value",
            arg=[name, value],
        )


def test_the_sidebar_needs_no_mouse(server: str, visit: Visit):
    page = visit.page
    page.goto(f"{server}/data_usage?dataset=alone")
    expect(page.get_by_role("combobox", name="Dataset")).to_have_value("alone")
    visit.rest()

    reach(page, page.get_by_role("combobox", name="Dataset"))
    press(page, "ArrowDown", *"small", "Enter")
    in_address(page, dataset="small")
    visit.charts()

    reach(page, page.get_by_role("combobox", name="Strategy"))
    press(page, "ArrowDown", "Home", "ArrowDown", "Enter")
    in_address(page, strategy="userknn+reuse")
    visit.charts()

    reach(page, page.get_by_role("radio", name="5", exact=True))
    press(page, *["ArrowRight"] * 3, "Enter")
    in_address(page, k="20")
    visit.charts()

    box = tau_box(page)
    reach(page, box)
    press(page, "Control+A", *"17", "Enter")
    in_address(page, tau="17")
    visit.rest()

    slider = page.get_by_role("slider", name="Move τ")
    reach(page, slider)
    press(page, "Home")
    in_address(page, tau="0")
    visit.rest()
    press(page, *["ArrowRight"] * 3)
    in_address(page, tau="3")
    visit.rest()
    press(page, "End")
    page.wait_for_function("Number(new URL(location.href).searchParams.get('tau')) > 30")
    visit.rest()
    expect(box).to_have_value(visit.address()["tau"])

    reach(page, page.get_by_role("radio", name="Published rule"))
    press(page, "ArrowRight", "Enter")
    expect(page.get_by_role("radio", name="Start of the tail")).to_be_checked()
    visit.rest()
    assert visit.address()["tau"] == box.input_value() != ""
    press(page, "ArrowLeft", "Enter")  # the focus is still there
    in_address(page, tau="")
    visit.rest()

    reach(page, page.get_by_role("button", name="Pin as A, to compare"))
    press(page, "Enter")
    expect(page.get_by_text("A, pinned: small")).to_be_visible()
    assert visit.address()["pin"].startswith("small_20_")

    reach(page, page.locator("summary", has_text="Export"))
    press(page, "Enter")
    report = page.get_by_role("button", name="Report of these settings")
    expect(report).to_be_visible()
    reach(page, report)
    with page.expect_download() as download:
        press(page, "Enter")
    assert download.value.suggested_filename.startswith("report-small-k20")

    reach(page, page.get_by_role("link", name="Trade-off"), most=80)
    press(page, "Enter")
    expect(page.get_by_role("heading", name="Trade-off", level=1)).to_be_visible()
    visit.charts()
    assert visit.address()["k"] == "20"
    visit.is_clean()


def expect_focus(page: Page, target: Locator, value: str) -> None:
    expect(target).to_have_value(value)
    expect(target).to_be_focused()


def test_a_text_written_in_another_way_leaves_the_focus_in_its_box(server: str, visit: Visit):
    page = visit.open(f"{server}/choose_tau?dataset=small&limits=max_vulnerable:20%25")
    box = tau_box(page)
    reach(page, box)
    for typed, tau in (("1,000", "1000"), ("007", "7"), ("12,345", "12345")):
        press(page, "Control+A", *typed, "Enter")
        in_address(page, tau=tau)
        visit.rest()
        expect_focus(page, box, typed)
    press(page, "Control+A", "Delete", "Enter")  # follows the rule
    in_address(page, tau="")
    visit.rest()
    suggested = page.get_by_role("radio", name="Published rule").inner_text().split(": ")[1]
    expect_focus(page, box, "")
    expect(box).to_have_attribute("placeholder", suggested)
    press(page, "Control+A", *"abc", "Enter")
    page.get_by_text("is not a whole number of uses").wait_for()
    visit.rest()
    expect_focus(page, box, "abc")
    # Whoever leaves the box has left it; what they are at may be replaced, too.
    press(page, "Control+A", *"2,000", "Tab")
    in_address(page, tau="2000")
    visit.rest()
    expect(page.get_by_role("slider", name="Move τ")).to_be_focused()
    page.get_by_role("heading", name="Choose τ", level=1).click()
    tau_box(page).fill("3,000")
    page.get_by_role("heading", name="Choose τ", level=1).click()
    in_address(page, tau="3000")
    visit.rest()
    assert page.evaluate("document.activeElement.tagName") != "INPUT"

    limit = page.get_by_role("textbox", name="Value:").first
    limit.focus()
    press(page, "Control+A", *"30", "Enter")
    in_address(page, limits="max_vulnerable:30%")
    visit.rest()
    expect_focus(page, limit, "30")
    press(page, "Control+A", *"many", "Enter")
    page.get_by_text("is no value for this limit").wait_for()
    visit.rest()
    expect(limit).to_be_focused()
    visit.is_clean()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_focus_is_seen(server: str, browser: Browser, scheme: str):
    visit = Visit(browser, scheme=scheme)
    page = visit.open(f"{server}/overview?dataset=small")
    page.add_style_tag(content=NO_FADING)
    visited = []
    for _ in range(80):
        press(page, "Tab")
        page.evaluate(DRAWN)
        element = page.evaluate_handle("document.activeElement").as_element()
        assert element
        name = element.evaluate("e => e.tagName + ' ' + (e.ariaLabel ?? e.textContent)")
        if name in visited or name.startswith("BODY"):
            break
        visited.append(name)
        # What scrolls can be focused, too; it is not to act on.
        if name.startswith("MAIN"):
            continue
        focused = element.evaluate(LOOKS)
        element.evaluate("element => element.blur()")
        page.evaluate(DRAWN)
        assert element.evaluate(LOOKS) != focused, f"no ring around {name}"
        element.evaluate("element => element.focus()")
    assert len(visited) > 30
    visit.is_clean()
    visit.context.close()
