"""This file is CPython's own tests of `str`, with microcode in the place of the methods.

Its tests name the method that they ask (`checkequal(3, "aaa", "count", "a")`), so microcode can answer. What
they write as an expression (`"a" in "abc"`) is CPython's own answer and tests nothing here: only the tests
that ask microcode count.
"""

import collections
import importlib
import unittest

import pytest
from microcode_laws import microcode

OPERATORS = {"__contains__": "str_contains", "__add__": "str_add", "__mul__": "str_mul", "__mod__": "str_mod"}
LEAST = 40  # tests that ask microcode; 3.11 has the fewest
LONG = 2000  # characters; some tests ask for the speed of a search in millions


@pytest.fixture(scope="module")
def theirs():
    """CPython's test case for `str`."""
    for module, name in (("test.test_str", "StrTest"), ("test.test_unicode", "UnicodeTest")):
        try:
            return getattr(importlib.import_module(module), name)
        except ModuleNotFoundError:
            continue
    pytest.skip("this Python comes without its own tests (the package `test`)")


def function_for(text, method, arguments):
    """The function of microcode for a method, where it takes such a call."""
    functions = microcode()
    if type(text) is not str or len(text) > LONG:
        return None
    if method == "__getitem__" and type(arguments[0]) is slice:
        return lambda text, index: functions["str_slice"](text, index.start, index.stop, index.step)
    if method == "maketrans":
        return lambda text, *arguments: functions["str_maketrans"](*arguments)
    return functions.get(OPERATORS.get(method, f"str_{method}"))


def asking_microcode(theirs, asked):
    """Their test case, its questions put to microcode; what was asked is counted by test and method."""

    class Ours(theirs):
        def _ask(self, text, method, arguments, named):
            function = None if named and method == "format" else function_for(text, method, arguments)
            if function is None:
                return getattr(text, method)(*arguments, **named)
            asked[self._testMethodName, method] += 1
            return function(text, *arguments, **named)

        def checkequal(self, result, obj, methodname, *args, **kwargs):
            given = self.fixtype(args)
            answer = self._ask(self.fixtype(obj), methodname, given, kwargs)
            assert self.fixtype(result) == answer

        def checkequalnofix(self, result, object, methodname, *args):
            answer = self._ask(object, methodname, args, {})
            assert (type(answer), answer) == (type(result), result)

        def checkraises(self, exc, obj, methodname, *args, expected_msg=None):
            with pytest.raises(exc) as caught:
                self._ask(self.fixtype(obj), methodname, self.fixtype(args), {})
            if expected_msg is not None:
                assert str(caught.value) == expected_msg

        def checkcall(self, obj, methodname, *args):
            self._ask(self.fixtype(obj), methodname, self.fixtype(args), {})

    return Ours


def test_cpythons_tests_of_str_hold_for_microcode(theirs):
    asked = collections.Counter()
    ours = asking_microcode(theirs, asked)
    names = unittest.TestLoader().getTestCaseNames(ours)
    result = unittest.TestResult()
    unittest.TestSuite(ours(name) for name in names).run(result)
    print(
        f"{len({test for test, _ in asked})} tests asked {len({method for _, method in asked})} methods",
        end=" ",
    )
    print(f"{asked.total()} times")
    mine = {test for test, _ in asked}
    broken = [(case, text) for case, text in result.failures + result.errors if case._testMethodName in mine]
    assert [f"{case.id()}: {text}" for case, text in broken] == []
    assert len(mine) >= LEAST
