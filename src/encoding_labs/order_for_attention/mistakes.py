"""A mistake in any function of lab 06 that only a second call shows: it changes an argument."""

from labkit.judging.diagnosis import mistake
from labkit.judging.observation import judge


@mistake("input-overwritten", "attention", "add_positions", "score_parts", "look_back", "rope")
def input_overwritten(observations):
    """The first of two calls with the same arguments is right, and the second is wrong."""
    off = [seen for seen in observations if judge(seen) is not None]
    alone = [seen for seen in observations if not seen.twice and off and seen.args == off[0].args]
    return {} if alone and all(seen.twice for seen in off) else None
