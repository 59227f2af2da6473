"""Test lecture.toml, which has sentences about known mistakes to use in a lecture."""

from labkit.desk.people.comments import LECTURE, read_lecture
from labkit.student.model import project


def test_every_sentence_belongs_to_a_mistake_in_the_catalogue():
    said = read_lecture(project.current(), project.current().root / LECTURE)
    assert len(said) > 20 and all(sentence.endswith(".") and len(sentence) < 160 for sentence in said.values())
