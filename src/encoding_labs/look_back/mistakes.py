"""The mistake of changing an argument. Only a second call shows it."""

from labkit.student.judging.diagnosis import mistake
from labkit.student.judging.observation import judge


@mistake("input-overwritten", "look_back", "rope")
def input_overwritten(observations):
    """Of two calls with the same arguments, the first is right and the second is wrong."""
    off = [seen for seen in observations if judge(seen) is not None]
    alone = [seen for seen in observations if not seen.twice and off and seen.args == off[0].args]
    return {} if alone and all(seen.twice for seen in off) else None
