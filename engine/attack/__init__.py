"""The adversary of the paper (section 3.1), run against the engine and measured.

**Who the adversary is.** A user with bad intent, who makes accounts like everybody else and asks
for predictions. The goal is to learn ratings of one person, the victim, that the victim gave to the
system and to nobody else.

**What the adversary knows.** A share of the victim's ratings (`knowledge`), for example what the
victim published elsewhere. Further, what the system shows anyhow: the scale, how many ratings an
item has, and their mean. The adversary knows k and the mechanism, but not the coins, not the
neighbors, and not how often the victim has been used.

**What the adversary does.**

1. Copy: an account gets exactly the known ratings, so that the victim is similar to it.
2. Ask: the account asks for the victim's other items (`probes` of them are measured), each of them
   `repeats` times. A query that is put again gets new coins, unless the mechanism is memoised.
3. Infer. *Alone* (`accounts` = 0) the adversary takes the prediction itself for the victim's
   rating, rounded to the scale. *Fake accounts* (Calandrino et al., "You Might Also Like", 2011)
   have the same known ratings and rate each asked item with a value that the adversary plants. The
   adversary hopes that the k neighbors are k - 1 fake accounts and the victim, all with similarity
   1. Then

       r = k * prediction - (k - 1) * planted value.

   With fewer than k - 1 fake accounts, the adversary assumes that the other neighbors rated the
   item with its mean. See `engine.attack.inference`.

**What the system does.** It answers as always: neighbors, ordinals, coins and predictions are the
engine's. The adversary comes after the fold: everybody has put the fold's queries, and has then
rated what they asked for, so that all ratings are in the system. The uses by the fold's queries
count towards tau. Further uses of a vulnerable victim are therefore protected from the start; those
of a secure victim are real until the number of uses passes tau. New accounts begin without a use.
Each victim is attacked as if there were no other adversary.

**Whom it attacks.** Users drawn at random among those with at least as many ratings as the median
user. An adversary who knows the same share of fewer ratings looks less like the victim: most
figures would be lower if all users were attacked (`min_ratings` = 2).

**What is measured.** The share of the asked ratings that are recovered exactly, and within one step
of the scale, with 95 % intervals that allow for the ratings of one victim being alike; beside it
how often the most common rating of the item among all other users is right, which needs no attack;
and how often the victim was among the neighbors. A cleverer adversary may learn more: the figures
say what this attack achieves, and are no upper bound.

**What a provider can do.** Require that at least m of the k neighbors are older than the
adversary's accounts: then at most k - m neighbors are fake, which `accounts` = k - m measures. A
limit on new accounts does the same. Memoised answers make asking again useless. Only full
protection covers the first tau uses, too.
"""

from __future__ import annotations

from engine.attack.outcome import AttackOutcome, GroupOutcome
from engine.attack.plan import AttackPlan
from engine.attack.probes import Probes
from engine.attack.probing import attack

__all__ = ["AttackOutcome", "AttackPlan", "GroupOutcome", "Probes", "attack"]
