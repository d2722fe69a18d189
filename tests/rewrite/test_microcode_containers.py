"""This file is the law of `list`, `dict`, `set`, `tuple` and `int` in microcode: all do what CPython does."""

import operator

import container_arguments as of
import pytest
from container_arguments import call, calls, came_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from microcode_laws import EXAMPLES, microcode

from worldline.rewrite.microcode.atoms import hidden
from worldline.rewrite.microcode.library import closure, library, sources

TYPES = {"list": list, "dict": dict, "set": set, "frozenset": frozenset, "tuple": tuple, "int": int}
FILES = tuple(file for file in sources() if file.removesuffix(".py").partition("_")[0] in TYPES)
NOT_COVERED = {
    *("int_to_bytes", "int_from_bytes", "int_is_integer"),
    *("int_denominator", "int_numerator", "int_real", "int_imag"),  # no methods
    *(f"frozenset_{name}" for name in ("difference", "intersection", "symmetric_difference", "union")),
}
PREFIXES = tuple(f"{name}_" for name in TYPES)
FUNCTIONS = sorted(name for name in library() if name.startswith(PREFIXES) and name != "set_slice")

METHODS_OF_SET = (
    *(
        "add",
        "clear",
        "copy",
        "difference",
        "difference_update",
        "discard",
        "intersection",
        "intersection_update",
    ),
    *("pop", "remove", "symmetric_difference", "symmetric_difference_update", "union", "update"),
)


def set_slice(items, start, stop, step, values):
    items[start:stop:step] = values


def del_slice(items, start, stop, step):
    del items[start:stop:step]


def del_item(items, index):
    del items[index]


OPERATORS = {
    **{name: getattr(operator, name) for name in ("add", "mul", "eq", "lt", "le", "gt", "ge", "xor", "sub")},
    **{"contains": operator.contains},
    **{"iadd": operator.iadd, "imul": operator.imul, "or": operator.or_, "and": operator.and_, "pow": pow},
    **{
        "ior": operator.ior,
        "iand": operator.iand,
        "isub": operator.isub,
        "ixor": operator.ixor,
        "repr": repr,
    },
    **{"slice": lambda items, start, stop, step: items[start:stop:step]},
    **{"set_slice": set_slice, "del_slice": del_slice, "del_item": del_item},
}
METHODS = {
    "dict_itself": lambda table: table,
    "dict_fromkeys": lambda table, *arguments: dict.fromkeys(*arguments),
    **{
        f"dict_{name}": lambda table, name=name: iter(getattr(table, name)())
        for name in ("items", "keys", "values")
    },
}

ANY_LIST = st.one_of(of.LIST, of.LIST, of.THING, st.just(of.Itself()), st.just(of.MyList([1])))
ANY_TUPLE = st.one_of(of.TUPLE, of.TUPLE, of.THING, st.just(of.Itself()))
SLICE = (of.BOUND, of.BOUND, of.STEP)
TIMES = st.one_of(st.integers(-2, 4), of.INDEX)
PAIR = st.one_of(
    *(st.tuples(of.HASHABLE, of.VALUE), st.tuples(of.HASHABLE, of.VALUE), st.lists(of.HASHABLE, max_size=3)),
    *(st.text("ab", max_size=3), of.THING, st.just(of.MyTuple((1, 2)))),
)
PAIRS = st.one_of(
    *(
        st.lists(PAIR, max_size=4),
        st.lists(PAIR, max_size=4).map(tuple),
        st.just(of.Mapping()),
        st.just(of.Itself()),
    ),
    *(
        st.lists(PAIR, max_size=4).map(lambda pairs: of.Walk(tuple(pairs))),
        of.DICT,
        of.DICT,
        of.DICT,
        of.THING,
    ),
    *(st.just(of.MyDict(a=1)), of.NO_ITERABLE),
)
ANY_DICT = st.one_of(of.DICT, of.DICT, of.THING, st.just(of.Itself()), st.just(of.MyDict(a=1)))
OTHER_SET = st.one_of(of.ANY_SET, of.ANY_SET, of.ANY_SET, of.THING, st.just(of.Itself()))
KEY = st.one_of(of.HASHABLE, of.HASHABLE, of.THING)
NUMBER = st.one_of(of.SMALL, st.integers(), st.integers(-(2**2100), 2**2100))
SEVERAL = calls(of.SET, of.KEYED, of.KEYED, of.KEYED, least=1)
PRESENT = st.lists(of.VALUE, min_size=1, max_size=4).flatmap(
    lambda items: st.tuples(st.just(items), st.sampled_from(items))
)
AT = calls(of.BOUND, of.BOUND, least=0)
ARGUMENTS = {
    "list_append": call(of.LIST, of.THING),
    "list_clear": call(of.LIST),
    "list_copy": call(of.LIST),
    "list_count": st.one_of(call(of.LIST, of.THING), PRESENT),
    "list_extend": call(of.LIST, of.ITERABLE),
    "list_index": st.tuples(st.one_of(call(of.LIST, of.THING), PRESENT), AT).map(
        lambda both: both[0] + both[1]
    ),
    "list_insert": call(of.LIST, of.INDEX, of.THING),
    "list_pop": calls(of.LIST, of.INDEX, least=1),
    "list_remove": st.one_of(call(of.LIST, of.THING), PRESENT),
    "list_reverse": call(of.LIST),
    "list_sort": call(of.SORTABLE, of.keywords(key=of.KEY, reverse=of.REVERSE)),
    "list_add": call(of.LIST, ANY_LIST),
    "list_iadd": call(of.LIST, of.ITERABLE),
    "list_mul": call(of.LIST, TIMES),
    "list_imul": call(of.LIST, TIMES),
    "list_contains": st.one_of(call(of.LIST, of.THING), PRESENT),
    "list_slice": call(of.LIST, *SLICE),
    "list_set_slice": call(of.LIST, *SLICE, of.ITERABLE),
    "list_del_slice": call(of.LIST, *SLICE),
    "list_del_item": call(of.LIST, of.INDEX),
    "list_repr": call(of.LIST),
    **dict.fromkeys(("list_eq", "list_lt", "list_le", "list_gt", "list_ge"), call(of.LIST, ANY_LIST)),
    "tuple_count": call(of.TUPLE, of.THING),
    "tuple_index": st.tuples(st.tuples(of.TUPLE, of.THING), AT).map(lambda both: both[0] + both[1]),
    "tuple_add": call(of.TUPLE, ANY_TUPLE),
    "tuple_mul": call(of.TUPLE, TIMES),
    "tuple_contains": call(of.TUPLE, of.THING),
    "tuple_slice": call(of.TUPLE, *SLICE),
    "tuple_repr": call(of.TUPLE),
    **dict.fromkeys(("tuple_eq", "tuple_lt", "tuple_le", "tuple_gt", "tuple_ge"), call(of.TUPLE, ANY_TUPLE)),
    **dict.fromkeys(
        ("dict_clear", "dict_copy", "dict_items", "dict_itself", "dict_keys", "dict_values"), call(of.DICT)
    ),
    "dict_fromkeys": calls(of.DICT, of.ITERABLE, of.THING, least=2),
    "dict_get": calls(of.DICT, KEY, of.THING, least=2),
    "dict_pop": calls(of.DICT, KEY, of.THING, of.THING, least=2),
    "dict_popitem": call(of.DICT),
    "dict_setdefault": calls(of.DICT, KEY, of.THING, least=2),
    "dict_update": calls(of.DICT, PAIRS, least=1),
    "dict_or": call(of.DICT, ANY_DICT),
    "dict_ior": call(of.DICT, PAIRS),
    "dict_eq": call(of.DICT, ANY_DICT),
    "dict_repr": call(of.DICT),
    **dict.fromkeys(("set_add", "set_discard", "set_remove"), call(of.SET, KEY)),
    **dict.fromkeys(("set_clear", "set_copy", "set_pop", "set_repr", "frozenset_copy"), call(of.SET)),
    **dict.fromkeys(("set_update", "set_union", "set_intersection", "set_intersection_update"), SEVERAL),
    **dict.fromkeys(("set_difference", "set_difference_update"), SEVERAL),
    **dict.fromkeys(("set_symmetric_difference", "set_symmetric_difference_update"), call(of.SET, of.KEYED)),
    **dict.fromkeys(("set_isdisjoint", "set_issubset", "set_issuperset"), call(of.SET, of.KEYED)),
    "frozenset_copy": call(of.FROZEN),
    **dict.fromkeys(
        ("frozenset_isdisjoint", "frozenset_issubset", "frozenset_issuperset"), call(of.FROZEN, of.KEYED)
    ),
    **dict.fromkeys(("set_or", "set_and", "set_sub", "set_xor"), call(of.SET, OTHER_SET)),
    **dict.fromkeys(("set_ior", "set_iand", "set_isub", "set_ixor"), call(of.SET, OTHER_SET)),
    **dict.fromkeys(("set_eq", "set_le", "set_lt", "set_ge", "set_gt"), call(of.SET, OTHER_SET)),
    **dict.fromkeys(
        ("int_bit_length", "int_bit_count", "int_conjugate", "int_as_integer_ratio"), call(NUMBER)
    ),
    "int_repr": call(NUMBER),
    "int_pow": calls(of.SMALL, st.integers(-3, 70), st.one_of(st.none(), of.SMALL, of.NO_INT), least=2),
}


def law(test):
    """A law for the generated arguments."""
    checks = [HealthCheck.too_slow, HealthCheck.data_too_large]
    return settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=checks)(test)


def real(name):
    """What CPython has for a function."""
    kind, _, method = name.partition("_")
    return METHODS.get(name) or getattr(TYPES[kind], method, None) or OPERATORS[method]


def test_every_method_is_there():
    methods = {f"{name}_{method}" for name, kind in TYPES.items() for method in dir(kind) if method[0] != "_"}
    assert methods - set(FUNCTIONS) == methods & NOT_COVERED


def test_every_function_has_a_generator():
    assert set(FUNCTIONS) == set(ARGUMENTS)


@pytest.mark.parametrize("name", sorted(name for name, one in library().items() if one.file in FILES))
def test_hides_nothing(name):
    assert hidden(library()[name].node) == []


@pytest.mark.parametrize("name", sorted(ARGUMENTS))
def test_equals_cpython(name):
    function = microcode(*FILES)[name]

    @law
    @given(ARGUMENTS[name])
    def equal(arguments):
        mine, theirs = came_of(function, arguments), came_of(real(name), arguments)
        if name == "list_sort" and theirs[2] is None:  # only that nothing is lost is promised
            mine, theirs = (
                (error, sorted(map(repr, after[1][0][1])), None) for error, after, _ in (mine, theirs)
            )
        assert mine == theirs

    equal()


STARS = ("star_items", "star_table", "star_unpacked")
ROOTS = ("whole_root",)  # as rewrite/roots.py puts it in


def test_nothing_is_there_for_no_use():
    files = {file for file in sources() if not file.startswith(("str", "slicing", "text"))}
    roots = [
        name
        for name in library()
        if name.startswith((*PREFIXES, "builtin_", "op_", "get_", "del_", "range_list", *STARS, *ROOTS))
    ]
    used = {one.name for one in closure([*roots, *(name for name in library() if name.startswith("str_"))])}
    assert {name for name, one in library().items() if one.file in files} - used == set()


@law
@given(st.lists(st.tuples(st.sampled_from(METHODS_OF_SET), of.KEYED, of.KEYS), max_size=6), of.SET)
def test_sets_keep_the_order_of_cpython_through_many_changes(changes, start):
    """How a set came about decides where later keys go, so that small differences show later."""
    mine, theirs = start.make(), start.make()
    for method, other, key in changes:
        arguments = (
            (key,)
            if method in ("add", "discard", "remove")
            else ()
            if method in ("clear", "copy", "pop")
            else (other,)
        )
        results = [
            came_of(lambda *given, call=call, items=items: call(items, *given), arguments)
            for call, items in ((microcode()[f"set_{method}"], mine), (getattr(set, method), theirs))
        ]
        assert results[0] == results[1]
        assert of.exact(mine) == of.exact(theirs)


def test_a_list_is_empty_while_its_keys_are_asked():
    items = [3, 1, 2]
    seen = []
    microcode()["list_sort"](items, key=lambda item: seen.append(list(items)) or -item)
    assert (items, seen) == ([3, 2, 1], [[], [], []])


def test_a_list_that_is_changed_by_its_key_says_so_and_keeps_its_items():
    items = [3, 1, 2]
    with pytest.raises(ValueError, match=r"^list modified during sort$"):
        microcode()["list_sort"](items, key=lambda item: items.append(item) or item)
    assert items == [1, 2, 3]


def test_a_key_that_fails_leaves_the_list_as_it_was():
    items = [3, 1, "a", 2]
    with pytest.raises(TypeError, match="bad operand type for unary -: 'str'"):
        microcode()["list_sort"](items, key=lambda item: -item)
    assert items == [3, 1, "a", 2]


def test_containers_inside_themselves_are_written_as_cpython_does():
    items = [1]
    table = {"items": items}
    items += [items, table, (items, table)]
    for value in (items, table, (items,)):
        assert microcode()["builtin_repr"](value) == repr(value)
    assert microcode()["op_eq"](items, items) is (items == items)


def test_changing_a_dict_during_a_walk_raises():
    table = {1: 2, 3: 4}
    walk = microcode()["dict_items"](table)
    assert next(walk) == (1, 2)
    del table[1]
    with pytest.raises(RuntimeError, match="dictionary changed size during iteration"):
        next(walk)


def test_in_place_operators_keep_the_object():
    for name, value, other in (
        ("op_iadd", [1], (2,)),
        ("op_imul", [1], 3),
        ("op_ior", {1}, {2}),
        ("op_iand", {1}, {1}),
    ):
        assert microcode()[name](value, other) is value
