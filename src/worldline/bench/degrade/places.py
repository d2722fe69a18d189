"""This file is programs -> the same programs with a hook at every place where a world model may err.

At rate 0 the program does exactly what it did: nothing is evaluated twice, in another order, or asked for its
truth more often. Places are: values bound by assignments (`=`, `:=`, unpacking), by `for` and by augmented
assignments; tests of `if` and `while`; and a `for` loop's going on or ending.
Not covered: parameters, `with ... as`, `except ... as`, imports, attributes and (outside functions) all but
plain items changed by augmented assignments, class bodies but for `=`, what methods change in place, `match`,
conditional expressions and what happens inside comprehensions.
It is loaded inside the box too, and so imports nothing of ours.
"""

import ast
from collections.abc import Iterator


def instrument(tree: ast.Module, hook: str) -> ast.Module:
    """The program with hooks.

    Args:
        tree: the program; it is changed.
        hook: the name of the object to call, with which no name of the program begins.
    """
    hooked: ast.Module = _Instrument(hook).visit(tree)
    return ast.fix_missing_locations(hooked)


class _Instrument(ast.NodeTransformer):
    def __init__(self, hook: str) -> None:
        self._hook = hook
        self._scope = "module"
        self._temporaries = 0

    def _scoped(self, node: ast.AST, scope: str) -> ast.AST:
        outside, self._scope = self._scope, scope
        self.generic_visit(node)
        self._scope = outside
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._scoped(node, "function")

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._scoped(node, "function")

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return self._scoped(node, "class")

    def visit_Assign(self, node: ast.Assign) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        if any(isinstance(target, ast.Tuple | ast.List) for target in node.targets):
            return [node, *self._bound_again(node.targets)]
        node.value = self._call("bind", node.value)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        self.generic_visit(node)
        if node.value is not None:
            node.value = self._call("bind", node.value)
        return node

    def visit_NamedExpr(self, node: ast.NamedExpr) -> ast.AST:
        self.generic_visit(node)
        node.value = self._call("bind", node.value)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        if isinstance(node.target, ast.Name):
            return [node, *self._bound_again([node.target])]
        if isinstance(node.target, ast.Subscript) and not isinstance(node.target.slice, ast.Slice):
            return self._item_changed(node, node.target)
        return node

    def visit_If(self, node: ast.If) -> ast.AST:
        self.generic_visit(node)
        node.test = self._test(node.test)
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        self.generic_visit(node)
        node.test = self._test(node.test)
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        self.generic_visit(node)
        node.iter = self._call("loop", node.iter)
        node.body = [*self._bound_again([node.target]), *node.body]
        return node

    def _test(self, test: ast.expr) -> ast.expr:
        """A test that is a constant has no other way to go, but an endless loop must be seen."""
        return self._call("tick" if isinstance(test, ast.Constant) else "branch", test)

    def _item_changed(self, node: ast.AugAssign, target: ast.Subscript) -> list[ast.stmt]:
        """`a[i] += 1` and a look at the item, with `a` and `i` evaluated once."""
        before: list[ast.stmt] = []
        if not (_is_plain(target.value) and _is_plain(target.slice)):
            if self._scope != "function":
                return [node]
            target.value = self._kept(target.value, before)
            target.slice = self._kept(target.slice, before)
        look = ast.Expr(self._call("item", _again(target.value), _again(target.slice)))
        return [*before, node, look]

    def _kept(self, value: ast.expr, before: list[ast.stmt]) -> ast.expr:
        """A name of the value, which is set before."""
        name = f"{self._hook}_{self._temporaries}"
        self._temporaries += 1
        before.append(ast.Assign([ast.Name(name, ast.Store())], value))
        return ast.Name(name, ast.Load())

    def _bound_again(self, targets: list[ast.expr]) -> list[ast.stmt]:
        """Every name of the targets, bound to what the hook makes of it.

        Not in a class: an enumeration refuses a name that is bound twice.
        """
        if self._scope == "class":
            return []
        names = dict.fromkeys(name for target in targets for name in _names(target))
        return [
            ast.Assign([ast.Name(name, ast.Store())], self._call("bind", ast.Name(name, ast.Load())))
            for name in names
        ]

    def _call(self, method: str, *arguments: ast.expr) -> ast.expr:
        function = ast.Attribute(ast.Name(self._hook, ast.Load()), method, ast.Load())
        return ast.Call(function, list(arguments), [])


def _names(target: ast.expr) -> Iterator[str]:
    """The names that a target binds."""
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, ast.Starred):
        yield from _names(target.value)
    elif isinstance(target, ast.Tuple | ast.List):
        for part in target.elts:
            yield from _names(part)


def _is_plain(node: ast.expr) -> bool:
    return isinstance(node, ast.Name | ast.Constant)


def _again(node: ast.expr) -> ast.expr:
    if isinstance(node, ast.Name):
        return ast.Name(node.id, ast.Load())
    assert isinstance(node, ast.Constant)
    return ast.Constant(node.value)
