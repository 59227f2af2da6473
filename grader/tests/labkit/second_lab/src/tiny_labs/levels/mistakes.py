"""A known mistake in lab 02, levels, with sentences in two languages."""

from labkit.student.judging.diagnosis import mistake


@mistake(
    "as-they-come",
    "levels",
    en="For {values} the first level is {first:g}, the last {last:g}. Which of them is smaller?",
    es="Para {values} el primer nivel es {first:g}, el último {last:g}. ¿Cuál es menor?",
)
def as_they_come(observations):
    for each in observations:
        if list(getattr(each.actual, "flat", ())) == list(dict.fromkeys(each.args[0])) != sorted(set(each.args[0])):
            return {"values": list(each.args[0]), "first": each.actual[0], "last": each.actual[-1]}
