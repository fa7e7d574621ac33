"""What the page says about the audit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.audit import Audit, audit_all
from pages.contents.privacy_lab.audit_view import (
    audit_sections,
    audit_table,
    audit_title,
    continuous_audit_sentence,
    discrete_sentence,
    make_audit_figure,
)


@pytest.fixture(scope="module")
def audits() -> list[Audit]:
    return audit_all(levels=(2, 5), samples=5000)


def test_a_bound_below_what_is_stated_refutes_nothing(audits: list[Audit]):
    finite = [audit for audit in audits if audit.finite]
    assert "does not refute" in audit_title(finite)
    assert "reaches at least" in discrete_sentence(finite)
    assert make_audit_figure(finite).data[0].y == tuple(
        audit.epsilon_lower_bound for audit in finite
    )


def test_a_bound_above_what_is_stated_is_said(audits: list[Audit]):
    refuted = replace(audits[1], epsilon_lower_bound=9.0)
    assert "refutes the stated ε for 5 values" in audit_title([audits[0], refuted])
    assert "above the stated" in discrete_sentence([refuted])


def test_continuous_noise_has_no_stated_epsilon(audits: list[Audit]):
    table = audit_table(audits)
    assert table[table.noise == "continuous"]["stated ε"].isna().all()
    assert "75\xa0%" in continuous_audit_sentence(audits)
    assert continuous_audit_sentence([audits[0]]) == ""


def test_the_section_shows_every_audit(audits: list[Audit]):
    (section,) = audit_sections(audits)
    assert len(section.exhibits[0].table) == 4
