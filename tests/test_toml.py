"""Keys of many parts, whose memory grows quadratically, are rejected wherever they hide; dots in texts are fine."""

from time import process_time

import pytest

from ledger.errors import MalformedError
from ledger.log import MemoryStore
from ledger.recording.importing import ImportAs, import_content
from ledger.toml import DOTS_MAX, parse_toml

LONG = "k" + ".a" * 1_000


@pytest.mark.parametrize(
    "text",
    [
        f"{LONG} = 1",
        f"[{LONG}]",
        f"[[{LONG}]]",
        f'x = """t""""#\\\n{LONG} = 1 #"',
        f"x = {{y = '''t'''', {LONG} = 1, z = ''}}",
        f'x = {{y = """t"""", {LONG} = 1, z = ""}}',
        f'x = {{y = """t""""", {LONG} = 1, z = ""}}',
    ],
    ids=["key", "table", "list", "behind a comment", "after ''''", 'after """"', 'after """""'],
)
def test_a_key_of_too_many_parts_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="Too many parts of a key"):
        parse_toml(text)


def test_a_hand_record_that_is_one_key_is_refused_before_it_takes_gigabytes() -> None:
    with pytest.raises(MalformedError, match="Too many parts of a key"):
        import_content(MemoryStore(), (".".join("a" * 50_000) + "=1").encode(), "file", ImportAs(by="test"))


@pytest.mark.parametrize("quotes", ['"', "'", '"""', "'''"])
def test_parts_up_to_the_limit_are_read_and_dots_of_texts_and_comments_not_counted(quotes: str) -> None:
    assert parse_toml("k" + ".a" * DOTS_MAX + " = 1")
    dots = "." * (DOTS_MAX + 1)
    assert parse_toml(f"x = {quotes}{dots}{quotes} # {dots}") == {"x": dots}


@pytest.mark.parametrize("quote", ['"', "'"])
@pytest.mark.parametrize("own", [0, 1, 2])
def test_a_text_may_end_in_quotes_of_its_own(quote: str, own: int) -> None:
    text = f"t.{quote * own}"
    assert parse_toml(f"x = {quote * 3}{text}{quote * 3}\ny = 1") == {"x": text, "y": 1}


@pytest.fixture(scope="module")
def sound_s() -> float:
    """Return the processor seconds that a valid file of 200 kB takes."""
    before = process_time()
    parse_toml("".join(f"k{number:05} = '123456789'\n" for number in range(10_000)))
    return process_time() - before


@pytest.mark.parametrize("text", ['\\"""\n', '"\\', "\\'''\n", '"""\\', '"\\\n'])
def test_texts_that_never_end_are_refused_in_a_time_that_grows_with_them(text: str, sound_s: float) -> None:
    """Check the time of a text that once was searched again for every quote, a thousand times as slow."""
    hostile = text * (200_000 // len(text))
    before = process_time()
    with pytest.raises(ValueError, match=r"at line|at end"):
        parse_toml(f"x = 1\n{hostile}")
    assert process_time() - before < 100 * sound_s


def test_a_text_that_never_ends_is_named_as_such_whatever_dots_are_in_it() -> None:
    with pytest.raises(ValueError, match="Unterminated string"):
        parse_toml('x = """\n' + "." * (DOTS_MAX + 1))
