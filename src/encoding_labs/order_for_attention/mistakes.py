"""A mistake of all functions of lab 06 that only a second call shows: an argument that is changed."""

from labkit.judging.diagnosis import mistake
from labkit.judging.observation import judge


@mistake("input-overwritten", "attention", "add_positions", "score_parts", "look_back", "rope")
def input_overwritten(observations):
    """The wrong call is the second of two with the same arguments, and the first of them is right."""
    off = [seen for seen in observations if judge(seen) is not None]
    alone = [seen for seen in observations if not seen.twice and off and seen.args == off[0].args]
    return {} if alone and all(seen.twice for seen in off) else None
