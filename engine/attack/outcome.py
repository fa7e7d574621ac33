"""What an attack comes to: how many ratings are recovered, and how many a guess would give."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.intervals import Share


@dataclass(frozen=True)
class GroupOutcome:
    """Shares of the probes of some victims, with 95 % intervals.

    `baseline` and `baseline_within_one_step` are those of guessing the most common rating of the
    item among the other users.
    """

    victims: int
    probes: int
    exact: Share  # recovered exactly
    within_one_step: Share  # recovered to the next value of the scale
    baseline: Share
    baseline_within_one_step: Share
    among_neighbors: Share  # how often the victim was a neighbor


@dataclass(frozen=True)
class AttackOutcome:
    """What an attack comes to for all victims, for the secure, and for the vulnerable ones."""

    everybody: GroupOutcome
    secure: GroupOutcome
    vulnerable: GroupOutcome

    @property
    def groups(self) -> dict[str, GroupOutcome]:
        """All three by the names that they have in tables."""
        return {"all": self.everybody, "secure": self.secure, "vulnerable": self.vulnerable}


def summarize(
    *,
    victim: np.ndarray,
    steps: np.ndarray,
    guess_steps: np.ndarray,
    among_neighbors: np.ndarray,
    vulnerable: np.ndarray,
) -> AttackOutcome:
    """Return the outcome from one entry for each probe.

    `steps` is how many values of the scale the adversary is off, `guess_steps` how many the guess
    is off, `among_neighbors` the share of asks with the victim among the neighbors, and
    `vulnerable` whether the victim is.

    >>> outcome = summarize(
    ...     victim=np.array([4, 4, 9]), steps=np.array([0, 1, 2]), guess_steps=np.array([2, 0, 2]),
    ...     among_neighbors=np.ones(3), vulnerable=np.array([False, False, True]))
    >>> outcome.everybody.within_one_step.value, outcome.secure.exact.value
    (0.66..., 0.5)
    >>> outcome.vulnerable.victims
    1
    """

    def group(members: np.ndarray) -> GroupOutcome:
        victims, of_victim = np.unique(victim[members], return_inverse=True)
        trials = np.bincount(of_victim, minlength=victims.size)

        def share(successes: np.ndarray) -> Share:
            counted = np.bincount(of_victim, successes[members], minlength=victims.size)
            return Share.of_groups(counted, trials)

        return GroupOutcome(
            victims=victims.size,
            probes=int(members.sum()),
            exact=share(steps == 0),
            within_one_step=share(steps <= 1),
            baseline=share(guess_steps == 0),
            baseline_within_one_step=share(guess_steps <= 1),
            among_neighbors=share(among_neighbors),
        )

    return AttackOutcome(group(np.ones(victim.size, bool)), group(~vulnerable), group(vulnerable))
