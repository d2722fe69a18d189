"""This file is what "flat" means: a statement that computes one thing from names and constants.

Not looked at: annotations, type parameters, match patterns, and the statements inside a statement.
"""

import ast
from collections.abc import Iterable

Function = ast.FunctionDef | ast.AsyncFunctionDef
UNSPECIFIED = frozenset(
    "'\"\\{}\r\n"
)  # what Python 3.12 fails to write after the colon of a replacement field
TYPE_ALIAS: type[ast.AST] | tuple[()] = getattr(ast, "TypeAlias", ())


def is_simple(node: ast.expr | None) -> bool:
    """Whether an operand is a name or a constant; a negative number is a constant."""
    if (
        isinstance(node, ast.UnaryOp)
        and isinstance(node.op, ast.USub)
        and isinstance(node.operand, ast.Constant)
    ):
        return type(node.operand.value) in (int, float, complex)
    return isinstance(node, ast.Name | ast.Constant)


def is_dotted(node: ast.expr | None) -> bool:
    """Whether an expression is a name, or a path such as `functools.cache`."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def is_operation(node: ast.expr) -> bool:
    """Whether an expression is at most one operation on simple operands."""
    if is_simple(node):
        return True
    check = OPERATIONS.get(type(node))
    return check is not None and check(node)


def is_header(node: ast.expr) -> bool:
    """Whether a test can stand after `if` or `while`: an operand, its negation, or one comparison."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return is_simple(node.operand)
    return is_simple(node) or (isinstance(node, ast.Compare) and _compare(node))


def is_flat(stmt: ast.stmt) -> bool:
    """Whether a statement computes one thing; of a compound statement, its header."""
    if TYPE_ALIAS and isinstance(stmt, TYPE_ALIAS):
        return True
    check = STATEMENTS.get(type(stmt))
    return check is not None and check(stmt)


def is_index(node: ast.expr) -> bool:
    """Whether an expression can stand in square brackets: an operand, or slices of operands."""
    if isinstance(node, ast.Slice):
        return all(part is None or is_simple(part) for part in (node.lower, node.upper, node.step))
    if isinstance(node, ast.Tuple) and any(isinstance(part, ast.Slice) for part in node.elts):
        return all((isinstance(part, ast.Slice) and is_index(part)) or is_simple(part) for part in node.elts)
    return is_simple(node)


def is_unpacking(target: ast.expr) -> bool:
    """Whether a target is a sequence of names, one of them perhaps starred."""
    if not isinstance(target, ast.Tuple | ast.List):
        return False
    parts = (part.value if isinstance(part, ast.Starred) else part for part in target.elts)
    return all(isinstance(part, ast.Name) for part in parts)


def is_place(target: ast.expr) -> bool:
    """Whether a target is an attribute or an item of operands."""
    if isinstance(target, ast.Attribute):
        return is_simple(target.value)
    return isinstance(target, ast.Subscript) and is_simple(target.value) and is_index(target.slice)


def _simples(nodes: Iterable[ast.expr | None]) -> bool:
    return all(is_simple(node.value if isinstance(node, ast.Starred) else node) for node in nodes)


def _call(node: ast.Call) -> bool:
    func = node.func.value if isinstance(node.func, ast.Attribute) else node.func
    return is_simple(func) and _simples(node.args) and _simples(word.value for word in node.keywords)


def _compare(node: ast.Compare) -> bool:
    return len(node.ops) == 1 and is_simple(node.left) and is_simple(node.comparators[0])


def _dict(node: ast.Dict) -> bool:
    return all(key is None or is_simple(key) for key in node.keys) and _simples(node.values)


def _lambda(node: ast.Lambda) -> bool:
    defaults = (default for default in (*node.args.defaults, *node.args.kw_defaults) if default)
    return _simples(defaults) and is_operation(node.body)


def _text(node: ast.JoinedStr) -> bool:
    """Joins simple parts; or formats one of them, with one conversion or one specification."""
    parts = text_parts(node)
    fields = [part for part in parts if isinstance(part, ast.FormattedValue)]
    if not _simples(field.value for field in fields):
        return False
    if all(field.conversion == -1 and field.format_spec is None for field in fields):
        return True
    return len(parts) == 1 and is_formatting(fields[0])


def text_parts(node: ast.JoinedStr) -> list[ast.expr]:
    """What an f-string joins; Python 3.12 puts empty constants in."""
    return [part for part in node.values if not (isinstance(part, ast.Constant) and part.value == "")]


def is_formatting(field: ast.FormattedValue) -> bool:
    """Whether a replacement field converts or formats, not both, and its specification is one part."""
    if field.format_spec is None:
        return True
    spec = field.format_spec
    if field.conversion != -1 or not isinstance(spec, ast.JoinedStr):
        return False
    match text_parts(spec):
        case []:
            return True
        case [ast.Constant(value=str(text))]:
            return not set(text) & UNSPECIFIED
        case [ast.FormattedValue(value=value, conversion=-1, format_spec=None)]:
            return is_simple(value)
    return False


OPERATIONS = {
    ast.Call: _call,
    ast.Attribute: lambda node: is_simple(node.value),
    ast.Subscript: lambda node: is_simple(node.value) and is_index(node.slice),
    ast.UnaryOp: lambda node: is_simple(node.operand),
    ast.BinOp: lambda node: is_simple(node.left) and is_simple(node.right),
    ast.Compare: _compare,
    ast.List: lambda node: _simples(node.elts),
    ast.Tuple: lambda node: _simples(node.elts),
    ast.Set: lambda node: _simples(node.elts),
    ast.Dict: _dict,
    ast.JoinedStr: _text,
    ast.Await: lambda node: is_simple(node.value),
    ast.Yield: lambda node: node.value is None or is_simple(node.value),
    ast.YieldFrom: lambda node: is_simple(node.value),
    ast.Lambda: _lambda,
}


def _assign(stmt: ast.Assign) -> bool:
    if len(stmt.targets) != 1:
        return False
    target = stmt.targets[0]
    if isinstance(target, ast.Name):
        return is_operation(stmt.value)
    return is_simple(stmt.value) and (is_unpacking(target) or is_place(target))


def _annotated(stmt: ast.AnnAssign) -> bool:
    if isinstance(stmt.target, ast.Name):
        return stmt.value is None or is_operation(stmt.value)
    return is_place(stmt.target) and (stmt.value is None or is_simple(stmt.value))


def _delete(stmt: ast.Delete) -> bool:
    return len(stmt.targets) == 1 and (isinstance(stmt.targets[0], ast.Name) or is_place(stmt.targets[0]))


def _raise(stmt: ast.Raise) -> bool:
    return all(part is None or is_simple(part) for part in (stmt.exc, stmt.cause))


def _with(stmt: ast.With | ast.AsyncWith) -> bool:
    item = stmt.items[0]
    target = item.optional_vars
    return (
        len(stmt.items) == 1
        and is_simple(item.context_expr)
        and (target is None or isinstance(target, ast.Name))
    )


def _for(stmt: ast.For | ast.AsyncFor) -> bool:
    return isinstance(stmt.target, ast.Name) and is_simple(stmt.iter)


def _function(stmt: Function) -> bool:
    defaults = (default for default in (*stmt.args.defaults, *stmt.args.kw_defaults) if default)
    return _simples(defaults) and all(is_dotted(decorator) for decorator in stmt.decorator_list)


def _class(stmt: ast.ClassDef) -> bool:
    if getattr(stmt, "type_params", None):
        return True
    bases = (base.value if isinstance(base, ast.Starred) else base for base in stmt.bases)
    operands = (*bases, *(word.value for word in stmt.keywords), *stmt.decorator_list)
    return all(is_simple(operand) or is_dotted(operand) for operand in operands)


def is_caught(kind: ast.expr | None) -> bool:
    """Whether what `except` names is a class, a path to one, or several of them."""
    if isinstance(kind, ast.Tuple):
        return all(is_dotted(part) for part in kind.elts)
    return kind is None or is_dotted(kind)


def _always(stmt: ast.stmt) -> bool:
    return True


STATEMENTS = {
    ast.Assign: _assign,
    ast.AugAssign: lambda stmt: isinstance(stmt.target, ast.Name) and is_simple(stmt.value),
    ast.AnnAssign: _annotated,
    ast.Expr: lambda stmt: is_operation(stmt.value),
    ast.Return: lambda stmt: stmt.value is None or is_simple(stmt.value),
    ast.Delete: _delete,
    ast.Raise: _raise,
    ast.Assert: lambda stmt: is_header(stmt.test) and (stmt.msg is None or is_simple(stmt.msg)),
    ast.If: lambda stmt: is_header(stmt.test),
    ast.While: lambda stmt: is_header(stmt.test),
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Match: lambda stmt: (
        is_simple(stmt.subject) and all(case.guard is None or is_header(case.guard) for case in stmt.cases)
    ),
    ast.Try: lambda stmt: all(is_caught(handler.type) for handler in stmt.handlers),
    ast.TryStar: lambda stmt: all(is_caught(handler.type) for handler in stmt.handlers),
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class,
    **dict.fromkeys(
        (ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal, ast.Pass, ast.Break, ast.Continue), _always
    ),
}
