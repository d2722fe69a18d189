"""This file is what each instruction does to the evaluation stack, and what it demands to be harmless.

Why the built-in functions and methods in the tables here are: given plain arguments they neither change
them nor call anything but the same kind of function on what these hold. An instruction that is not here may
do anything.
"""

import sys
from collections.abc import Callable

from worldline.record.instructions import Instruction, pair, words
from worldline.record.stack import (
    ANY,
    ATOM,
    DROPPABLE,
    GLOBAL,
    HELD,
    ITERATOR,
    METHOD,
    NOTHING,
    NULL,
    PLAIN,
    SURE_ATOM,
    Impure,
    Machine,
    Value,
    variable,
)

SCALAR = 1 << 63  # stands for a variable that is an atom if the iterator is one over a range, str or bytes
TUPLES = 1 << 62  # stands for a variable that is plain if the iterator makes a new tuple for every item

_ATOM_FUNCTIONS = words("abs bool chr divmod float hash hex int len ord range repr round str bin oct")
PURE_FUNCTIONS = _ATOM_FUNCTIONS | words("dict frozenset list max min pow set sorted sum tuple any all")
PURE_METHODS = words(
    """capitalize casefold center copy count decode difference encode endswith find format get index
    intersection isalnum isalpha isascii isdecimal isdigit isdisjoint isidentifier islower isnumeric
    isprintable isspace issubset issuperset istitle isupper items join keys ljust lower lstrip partition
    removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith
    strip swapcase symmetric_difference title translate union upper values zfill bit_length bit_count hex
    is_integer as_integer_ratio conjugate"""
)
_INPLACE = 13  # BINARY_OP from here on is `+=` and its kin

Effect = Callable[[Machine, Instruction], None]


def _load_const(machine: Machine, instruction: Instruction) -> None:
    value = instruction.value
    if type(value) in (int, str, float, bool, bytes, complex, type(None), type(Ellipsis)):
        machine.push(SURE_ATOM)
    else:
        machine.push(Value(PLAIN) if type(value) in (tuple, frozenset) else Value(HELD))


def _load_fast_pair(machine: Machine, instruction: Instruction) -> None:
    for index in pair(instruction.arg):
        machine.load(index)


def _load_and_clear(machine: Machine, instruction: Instruction) -> None:
    if instruction.arg in machine.cells:
        raise Impure
    machine.load(instruction.arg)
    machine.store(instruction.arg, SURE_ATOM)


def _load_deref(machine: Machine, instruction: Instruction) -> None:
    machine.push(variable(instruction.arg))  # no pure stretch stores a cell


def _load_global(machine: Machine, instruction: Instruction) -> None:
    pushed = [Value(GLOBAL, 0, str(instruction.value))]
    if instruction.arg & 1:
        pushed.insert(1 if sys.version_info >= (3, 13) else 0, NOTHING)
    machine.stack += pushed


def _load_attribute(machine: Machine, instruction: Instruction) -> None:
    """Only the methods of plain values that change nothing."""
    name = str(instruction.value)
    is_method = instruction.name == "LOAD_METHOD" or (sys.version_info >= (3, 12) and instruction.arg & 1)
    if not is_method or name not in PURE_METHODS:
        raise Impure
    receiver = machine.pop()
    machine.need_plain(receiver)
    machine.push(Value(METHOD, 0, name))
    machine.push(receiver)


def _store_pair(machine: Machine, instruction: Instruction) -> None:
    for index in pair(instruction.arg):
        machine.store(index, machine.pop())


def _store_and_load(machine: Machine, instruction: Instruction) -> None:
    first, second = pair(instruction.arg)
    machine.store(first, machine.pop())
    machine.load(second)


def _delete(machine: Machine, instruction: Instruction) -> None:
    machine.store(instruction.arg, SURE_ATOM)


def _copy(machine: Machine, instruction: Instruction) -> None:
    values = machine.pops(instruction.arg)
    machine.stack += [*values, values[0]]


def _swap(machine: Machine, instruction: Instruction) -> None:
    values = machine.pops(instruction.arg)
    values[0], values[-1] = values[-1], values[0]
    machine.stack += values


def _binary(machine: Machine, instruction: Instruction) -> None:
    left, right = machine.pops(2)
    if instruction.arg >= _INPLACE:
        if left.form != ATOM:
            raise Impure
        machine.conditions.atoms |= left.mask
    machine.result(left, right)


def _operation(count: int, is_atom: bool = False) -> Effect:
    return lambda machine, instruction: machine.result(*machine.pops(count), is_atom=is_atom)


def _is(machine: Machine, instruction: Instruction) -> None:
    for value in machine.pops(2):
        machine.drop(value)
    machine.push(SURE_ATOM)


def _branch(machine: Machine, instruction: Instruction) -> None:
    machine.need_plain(machine.pop())


def _branch_on_none(machine: Machine, instruction: Instruction) -> None:
    machine.drop(machine.pop())


def _branch_or_pop(machine: Machine, instruction: Instruction) -> None:
    value = machine.pop()
    machine.need_plain(value)
    machine.ended = machine.taken, [*machine.stack, value]


def _build(machine: Machine, instruction: Instruction) -> None:
    """A tuple or list: nothing is asked of the items, but the result is only as plain as they are."""
    values = machine.pops(instruction.arg)
    machine.push(_together(values))


def _together(values: list[Value]) -> Value:
    if any(value.form > PLAIN for value in values):
        return Value(ANY)
    mask = 0
    for value in values:
        mask |= value.mask
    return Value(PLAIN, mask)


def _build_hashed(per_item: int, extra: int = 0) -> Effect:
    """A set or dict: its keys are hashed and compared."""

    def effect(machine: Machine, instruction: Instruction) -> None:
        values = machine.pops(instruction.arg * per_item + extra)
        machine.need_plain(*values)
        machine.push(_together(values))

    return effect


def _build_string(machine: Machine, instruction: Instruction) -> None:
    machine.result(*machine.pops(instruction.arg), is_atom=True)


def _build_slice(machine: Machine, instruction: Instruction) -> None:
    machine.result(*machine.pops(instruction.arg))


def _format(machine: Machine, instruction: Instruction) -> None:
    machine.result(*machine.pops(2 if instruction.arg & 4 else 1), is_atom=True)


def _add_to(count: int) -> Effect:
    """Into a container that is being built: nobody has it yet. What goes into a set or dict is hashed."""

    def effect(machine: Machine, instruction: Instruction) -> None:
        values = machine.pops(count)
        if instruction.name != "LIST_APPEND":
            machine.need_plain(*values)
        above = machine.pops(instruction.arg - 1)
        container = machine.pop()
        is_known = container.form <= PLAIN
        machine.push(_together([container, *values]) if is_known else Value(ANY))
        machine.stack += above

    return effect


def _get_iter(machine: Machine, instruction: Instruction) -> None:
    value = machine.pop()
    machine.push(Value(ITERATOR, machine.need_plain(value), "plain" if value.form == PLAIN else ""))


def _for_iter(machine: Machine, instruction: Instruction) -> None:
    iterator = machine.pop()
    machine.ended = machine.taken, list(machine.stack)
    machine.push(iterator)
    if iterator.form == ITERATOR:
        machine.push(Value(PLAIN if iterator.name else ATOM, iterator.mask))
        return
    if iterator.name != "initial" or machine.conditions.iterator not in (-1, iterator.mask - 1):
        raise Impure
    machine.conditions.iterator = iterator.mask - 1
    machine.push(Value(ATOM, SCALAR))


def _unpack(machine: Machine, instruction: Instruction) -> None:
    value = machine.pop()
    if value == Value(ATOM, SCALAR):  # an item of the loop: fine if it is a new tuple, whatever that holds
        machine.conditions.plain |= TUPLES
        machine.stack += [Value(ANY)] * instruction.arg
        return
    mask = machine.need_plain(value)
    machine.stack += [Value(value.form, mask)] * instruction.arg


def _call(machine: Machine, instruction: Instruction) -> None:
    arguments = machine.pops(instruction.arg)
    lower, upper = machine.pops(2)
    function, receiver = (upper, lower) if lower.form == NULL else (lower, upper)
    if function.form == METHOD:
        machine.need_plain(receiver, *arguments)
        machine.push(Value(PLAIN))
    elif function.form != GLOBAL or receiver.form != NULL:
        raise Impure
    elif function.name in PURE_FUNCTIONS:
        machine.conditions.builtins.add(function.name)
        mask = machine.need_plain(*arguments)
        machine.push(SURE_ATOM if function.name in _ATOM_FUNCTIONS else Value(PLAIN, mask))
    else:
        machine.conditions.functions.add(function.name)
        machine.push(Value(DROPPABLE))


def _nothing(machine: Machine, instruction: Instruction) -> None:
    pass


EFFECTS: dict[str, Effect] = {
    **dict.fromkeys(
        words("NOP CACHE RESUME EXTENDED_ARG PRECALL JUMP_FORWARD JUMP_BACKWARD JUMP_BACKWARD_NO_INTERRUPT"),
        _nothing,
    ),
    **dict.fromkeys(("RETURN_VALUE", "RETURN_CONST", "YIELD_VALUE"), _nothing),
    **dict.fromkeys(
        words("""POP_JUMP_IF_TRUE POP_JUMP_IF_FALSE POP_JUMP_FORWARD_IF_TRUE POP_JUMP_FORWARD_IF_FALSE
        POP_JUMP_BACKWARD_IF_TRUE POP_JUMP_BACKWARD_IF_FALSE"""),
        _branch,
    ),
    **dict.fromkeys(
        words("""POP_JUMP_IF_NONE POP_JUMP_IF_NOT_NONE POP_JUMP_FORWARD_IF_NONE POP_JUMP_FORWARD_IF_NOT_NONE
        POP_JUMP_BACKWARD_IF_NONE POP_JUMP_BACKWARD_IF_NOT_NONE"""),
        _branch_on_none,
    ),
    **dict.fromkeys(("JUMP_IF_TRUE_OR_POP", "JUMP_IF_FALSE_OR_POP"), _branch_or_pop),
    "LOAD_CONST": _load_const,
    "LOAD_FAST": lambda machine, instruction: machine.load(instruction.arg),
    "LOAD_FAST_CHECK": lambda machine, instruction: machine.load(instruction.arg),
    "LOAD_FAST_LOAD_FAST": _load_fast_pair,
    "LOAD_FAST_AND_CLEAR": _load_and_clear,
    "LOAD_DEREF": _load_deref,
    "LOAD_GLOBAL": _load_global,
    "LOAD_METHOD": _load_attribute,
    "LOAD_ATTR": _load_attribute,
    "STORE_FAST": lambda machine, instruction: machine.store(instruction.arg, machine.pop()),
    "STORE_FAST_STORE_FAST": _store_pair,
    "STORE_FAST_LOAD_FAST": _store_and_load,
    "DELETE_FAST": _delete,
    "PUSH_NULL": lambda machine, instruction: machine.push(NOTHING),
    "POP_TOP": _branch_on_none,
    "COPY": _copy,
    "SWAP": _swap,
    "BINARY_OP": _binary,
    "BINARY_SUBSCR": _operation(2),
    "BINARY_SLICE": _operation(3),
    "COMPARE_OP": _operation(2, is_atom=True),
    "CONTAINS_OP": _operation(2, is_atom=True),
    "IS_OP": _is,
    **dict.fromkeys(
        ("UNARY_NOT", "UNARY_NEGATIVE", "UNARY_INVERT", "UNARY_POSITIVE", "TO_BOOL"),
        _operation(1, is_atom=True),
    ),
    "BUILD_TUPLE": _build,
    "BUILD_LIST": _build,
    "BUILD_SET": _build_hashed(1),
    "BUILD_MAP": _build_hashed(2),
    "BUILD_CONST_KEY_MAP": _build_hashed(1, extra=1),
    "BUILD_STRING": _build_string,
    "BUILD_SLICE": _build_slice,
    "FORMAT_VALUE": _format,
    "FORMAT_SIMPLE": _operation(1, is_atom=True),
    "CONVERT_VALUE": _operation(1, is_atom=True),
    "FORMAT_WITH_SPEC": _operation(2, is_atom=True),
    "LIST_APPEND": _add_to(1),
    "SET_ADD": _add_to(1),
    "MAP_ADD": _add_to(2),
    "GET_ITER": _get_iter,
    "FOR_ITER": _for_iter,
    "UNPACK_SEQUENCE": _unpack,
    "CALL": _call,
}
