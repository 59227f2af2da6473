"""labkit's Spanish is up to date: the test lists each changed English sentence until its translation is confirmed.

`python grader/tests/labkit/author/test_translations_of_labkit.py` confirms them all, once you have updated the Spanish.
"""

import json
import tomllib
from pathlib import Path

import labkit
from labkit.author.source.same_facts import digest_of
from labkit.student.notebook.look import TEXTS

SOURCE = Path(labkit.__file__).parent
DIGESTS = Path(__file__).with_name("translations.json")


def files():
    """Each two-language file of labkit, with its sentences by language and id."""
    for path in sorted(SOURCE.rglob("*.toml")):
        texts = tomllib.loads(path.read_text("utf-8"))
        if "template" not in path.parts and {"en", "es"} <= texts.keys():
            yield path.relative_to(SOURCE).as_posix(), texts
    yield "student/notebook/look.py", TEXTS


def digests():
    return {file: {id: digest_of(text) for id, text in texts["en"].items()} for file, texts in files()}


def changed(known, found):
    """The entries whose English is new, gone or changed, each as file and id."""
    entries = {(file, id) for each in (known, found) for file, ids in each.items() for id in ids}
    return sorted(f"{file}: {id}" for file, id in entries if known.get(file, {}).get(id) != found.get(file, {}).get(id))


def test_spanish_was_made_from_the_present_english():
    assert not changed(json.loads(DIGESTS.read_text("utf-8")), digests()), "update the Spanish, then run this file"


def test_every_sentence_has_its_spanish():
    for file, texts in files():
        assert texts["en"].keys() == texts["es"].keys(), file


def test_a_changed_sentence_is_named():
    found = digests()
    found["student/judging/words.toml"]["raised"] = digest_of("another sentence")
    assert changed(digests(), found) == ["student/judging/words.toml: raised"]


if __name__ == "__main__":
    DIGESTS.write_text(json.dumps(digests(), indent=1, sort_keys=True) + "\n", "utf-8")
