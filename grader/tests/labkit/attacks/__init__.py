"""Attacks by hostile submissions, one file per target. Each attack states what it must not achieve.

`findings.py` lists the red team's findings behind the attacks; `in_kernels.py` and `hostile_class.py` run the attacks.
"""

from attacks import channels, disk, figures, names, processes, reply, text, tools, uncounted, wire
from attacks.kinds import Attempt, Channel, HandIn, Overrun, Planted

SEAMS = {
    each.__name__.partition(".")[2]: each
    for each in (reply, wire, text, disk, processes, names, figures, tools, channels, uncounted)
}
ATTEMPTS: dict[str, Attempt] = {
    f"{group}: {name}": attempt
    for seam in SEAMS.values()
    for group, several in getattr(seam, "ATTEMPTS", {}).items()
    for name, attempt in several.items()
}
CHANNELS: dict[str, Channel] = {f"channels: {name}": each for name, each in channels.CHANNELS.items()}
OVERRUNS: dict[str, Overrun] = {**disk.OVERRUNS, **uncounted.OVERRUNS}
HAND_INS: dict[str, HandIn | Planted] = {name: each for seam in SEAMS.values() for name, each in seam.HAND_INS.items()}
