"""This file is the tokenizers under test; one whose package is missing is skipped with the install line."""

import pytest

from worldline.errors import UserError
from worldline.tokens import TOKENIZERS, tokenizer


def load(name):
    try:
        return tokenizer(name)
    except UserError as error:
        if "is not installed" not in error.what:
            raise
        pytest.skip(f"tokenizer {name}: {error.what}: {error.hint}")


@pytest.fixture(scope="session", params=TOKENIZERS)
def each_tokenizer(request):
    return load(request.param)


@pytest.fixture(scope="session")
def byte_tokenizer():
    return load("bytes")


@pytest.fixture(scope="session")
def llama3():
    return load("llama3")


@pytest.fixture(scope="session")
def gpt2():
    return load("gpt2")


@pytest.fixture(scope="session", params=["llama3", "gpt2"])
def bpe_tokenizer(request):
    return load(request.param)
