"""This file is CPython's own tests of list, tuple, dict and set, run on microcode.

What is left out: pickles of iterators and of classes, sizes of objects, containers that change while they are
compared or hashed, how often a key is hashed, what the garbage collector tracks, and what takes very long.
"""

import importlib
import unittest

import pytest
from microcode_rewriting import rewritten

COLLECTOR = {"test_bug7466", "test_track_literals", "test_track_subtypes", "test_track_dynamic"}
LEFT_OUT = {
    "test_list": {"test_reversed_pickle", "test_equal_operator_modifying_operand", "test_repr_large"},
    "test_tuple": {
        "test_reversed_pickle",
        "test_hash_exact",
        "test_hash_optional",
        "test_repr_large",
        *COLLECTOR,
    },
    "test_dict": {
        *("test_equal_operator_modifying_operand", "test_merge_and_mutate", "test_setdefault_atomic"),
        *(
            "test_splittable_popitem",
            "test_reentrant_insertion",
            "test_oob_indexing_dictiter_iternextitem",
            *COLLECTOR,
        ),
    },
    "test_set": {"test_cyclical_repr", "test_pickling", "test_do_not_rehash_dict_keys"},
}
CLASSES = {
    "test_list": {"ListTest"},
    "test_tuple": {"TupleTest"},
    "test_dict": {"DictTest"},
    "test_set": {"TestSet", "TestFrozenSet", "TestBinaryOps", "TestUpdateOps", "TestMutate"},
}


@pytest.fixture
def suites(monkeypatch):
    """The tests that the modules share, on microcode, for as long as they are needed."""
    pytest.importorskip("test.seq_tests", reason="this Python came without its own tests")
    for name in ("seq_tests", "list_tests"):
        shared = importlib.import_module(f"test.{name}")
        for key, value in rewritten(shared).items():
            if not key.startswith("__"):
                monkeypatch.setattr(shared, key, value, raising=False)


@pytest.mark.parametrize("name", sorted(CLASSES))
def test_the_tests_of_cpython_pass(name, suites):
    namespace = rewritten(importlib.import_module(f"test.{name}"))
    load = unittest.defaultTestLoader.loadTestsFromTestCase
    tests = [test for case in sorted(CLASSES[name]) for test in load(namespace[case])]
    wanted = [test for test in tests if test.id().rpartition(".")[2] not in LEFT_OUT[name]]
    result = unittest.TestResult()
    unittest.TestSuite(wanted).run(result)
    assert result.testsRun > 20
    assert [(str(test), text) for test, text in result.errors + result.failures] == []
