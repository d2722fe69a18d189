"""This file is a small rewriting for tests: methods, built-in functions and operators become microcode.

Unlike the real rewriting it keeps expressions as they are: it only serves to run CPython's own tests.
"""

import ast
import functools
import inspect
from collections.abc import Callable
from typing import Any

from microcode_laws import microcode

TYPES = (list, dict, set, frozenset, tuple, int, str)
VIEWS = {"dict_items", "dict_keys", "dict_values"}  # microcode has walks in their place
COMPARE = {
    **{
        ast.Eq: "op_eq",
        ast.NotEq: "op_ne",
        ast.Lt: "op_lt",
        ast.LtE: "op_le",
        ast.Gt: "op_gt",
        ast.GtE: "op_ge",
    },
    **{ast.In: "op_in", ast.NotIn: "op_not_in"},
}
BINARY = {
    **{
        ast.Add: "add",
        ast.Mult: "mul",
        ast.Sub: "sub",
        ast.BitOr: "or",
        ast.BitAnd: "and",
        ast.BitXor: "xor",
    },
    **{ast.Pow: "pow", ast.Mod: "mod"},
}


def rewritten(module: Any, **names: Any) -> dict[str, Any]:
    """The namespace of a module whose source was run with microcode in place of what Python has."""
    tree = ast.fix_missing_locations(_ToMicrocode().visit(ast.parse(inspect.getsource(module))))
    namespace = {
        "__name__": module.__name__,
        "__file__": module.__file__,
        "invoke": invoke,
        "ask": ask,
        **names,
    }
    namespace |= {
        name: code
        for name, code in microcode().items()
        if name.startswith(("op_", "get_sl", "set_sl", "del_"))
    }
    exec(compile(tree, module.__file__, "exec"), namespace)
    return namespace


def invoke(receiver: Any, method: str, *arguments: Any, **keywords: Any) -> Any:
    """Call a method, in microcode if the receiver is of one of its types and the arguments fit."""
    real = getattr(receiver, method)
    name = f"{type(receiver).__name__}_{method}"
    code = microcode().get(name) if type(receiver) in TYPES and name not in VIEWS else None
    return _either(code, (receiver, *arguments), real, arguments, keywords)


def ask(name: str, real: Any, *arguments: Any, **keywords: Any) -> Any:
    """Call a built-in function, in microcode if there is one of that name and the arguments fit."""
    return _either(microcode().get(f"builtin_{name}"), arguments, real, arguments, keywords)


signature = functools.cache(inspect.signature)


def _either(
    code: Callable[..., Any] | None,
    given: Any,
    real: Callable[..., Any],
    arguments: Any,
    keywords: dict[str, Any],
) -> Any:
    if code is None or real is None:
        return real(*arguments, **keywords)
    try:
        signature(code).bind(*given, **keywords)
    except TypeError:
        return real(*arguments, **keywords)
    return code(*given, **keywords)


class _ToMicrocode(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        match node.func:
            case ast.Attribute(value=ast.Call(func=ast.Name(id="super"))):
                return node
            case ast.Attribute(value=receiver, attr=method):
                return _call("invoke", receiver, ast.Constant(method), *node.args, keywords=node.keywords)
            case ast.Name(id=name) if f"builtin_{name}" in microcode():
                return _call("ask", ast.Constant(name), node.func, *node.args, keywords=node.keywords)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if len(node.ops) == 1 and type(node.ops[0]) in COMPARE:
            return _call(COMPARE[type(node.ops[0])], node.left, node.comparators[0])
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if type(node.op) in BINARY:
            return _call(f"op_{BINARY[type(node.op)]}", node.left, node.right)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        name = f"op_i{BINARY.get(type(node.op))}"
        if isinstance(node.target, ast.Name) and name in microcode():
            before = ast.Name(node.target.id, ast.Load())
            return ast.copy_location(ast.Assign([node.target], _call(name, before, node.value)), node)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load) and isinstance(node.slice, ast.Slice):
            return _call("get_slice", node.value, *_bounds(node.slice))
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        match node.targets:
            case [ast.Subscript(value=items, slice=ast.Slice() as place)]:
                items.ctx = ast.Load()
                return ast.copy_location(
                    ast.Expr(_call("set_slice", items, *_bounds(place), node.value)), node
                )
        return node

    def visit_Delete(self, node: ast.Delete) -> ast.AST:
        self.generic_visit(node)
        match node.targets:
            case [ast.Subscript(value=items, slice=ast.Slice() as place)]:
                return ast.copy_location(ast.Expr(_call("del_slice", items, *_bounds(place))), node)
            case [ast.Subscript(value=items, slice=index)]:
                return ast.copy_location(ast.Expr(_call("del_item", items, index)), node)
        return node


def _call(name: str, *arguments: ast.expr, keywords: list[ast.keyword] | None = None) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), keywords or [])


def _bounds(place: ast.Slice) -> list[ast.expr]:
    return [bound or ast.Constant(None) for bound in (place.lower, place.upper, place.step)]
